/** Bodies as large as one may be, full of what takes a reader of the format longest for what it is. */

import { maxUserBodyBytes } from '../../src/adapters/apis/users/index.ts';
import { maxNodes } from '../../src/adapters/formats/port/format.ts';
import { largestUser } from './users.ts';

export interface FilledBody {
  readonly name: string;
  readonly format: 'json' | 'xml';
  readonly body: string | Buffer;
}

const filled = (before: string, unit: string, after: string): string =>
  before + unit.repeat(Math.floor((maxUserBodyBytes - before.length - after.length) / unit.length)) + after;
const numbered = (count: number, unit: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => unit(index)).join('');

const begin = '<user xmlns="urn:user-management:1"><userName>a</userName>';
const inTitle = (unit: string): string => filled(`${begin}<title>`, unit, '</title></user>');
const between = (unit: string): string => filled(begin, unit, '</user>');
const nodes = maxNodes - 100;

const xml: Readonly<Record<string, string | Buffer>> = {
  'carriage returns': inTitle('\r'),
  'line ends of two characters': inTitle('\r\n'),
  'line feeds': inTitle('\n'),
  spaces: between(' '),
  'character references': inTitle('&#65;'),
  'character references in an attribute': filled(`${begin}<title a="`, '&#65;', '">x</title></user>'),
  entities: inTitle('&lt;'),
  comments: between('<!---->'),
  'comments in a text': inTitle('x<!---->'),
  hyphens: filled(`${begin}<!--`, '- ', '--></user>'),
  'processing instructions': between('<?a?>'),
  'question marks': filled(`${begin}<?a `, '?', '?></user>'),
  brackets: filled(`${begin}<title><![CDATA[`, ']', ']]></title></user>'),
  'CDATA sections': `${begin}<title>${'<![CDATA[]]>'.repeat(nodes)}</title></user>`,
  'empty elements': `${begin}${'<a/>'.repeat(nodes)}</user>`,
  'elements between texts': `${begin}${'<a></a>x'.repeat(nodes)}</user>`,
  attributes: `<user${numbered(nodes, (index) => ` a${index}=""`)}/>`,
  'attributes in a namespace': `<user xmlns:p="u"${numbered(nodes, (index) => ` p:a${index}=""`)}/>`,
  namespaces: `<user${numbered(nodes, (index) => ` xmlns:a${index}="u"`)}/>`,
  'namespaces at each level': `${numbered(30, (level) => `<user${numbered(120, (index) => ` xmlns:a${level}-${index}="u"`)}>`)}${'</user>'.repeat(30)}`,
  'a long name': filled(`${begin}<`, 'a', '/></user>'),
  'spaces in UTF-16': Buffer.from(
    `\uFEFF${between(' ').slice(0, maxUserBodyBytes / 2 - 20)}</user>`,
    'utf16le',
  ),
  'roles that are empty': `${begin}<roles>${'<role/>'.repeat(nodes)}</roles></user>`,
  'entries of the map': `${begin}<attributes>${numbered(nodes / 2, (index) => `<attribute name="a${index}">x</attribute>`)}</attributes></user>`,
};

const json: Readonly<Record<string, string | Buffer>> = {
  spaces: filled('{"userName":"a"', ' ', '}'),
  'spaces, and a name twice': filled('{"userName":"a","userName":"b"', ' ', '}'),
  'line ends, and a byte that is not UTF-8': Buffer.from(filled('{"userName":"a"', '\n', '\xff}'), 'latin1'),
  escapes: filled('{"userName":"a","title":"', '\\u0041', '"}'),
  'escapes, and a name twice': filled('{"userName":"a","userName":"b","title":"', '\\n', '"}'),
  'empty lists': `{"userName":"a","title":[${'[],'.repeat(nodes)}[]]}`,
  'members, and an end that is missing': `{${numbered(nodes, (index) => `"x${index}":0,`)}`,
  'one name': `{${'"x":0,'.repeat(nodes)}"x":0}`,
  'subtags of a language': filled('{"userName":"a","locale":"en', '-a-aaaaa', '!"}'),
  'a URI that is wrong at its end': filled('{"userName":"a","profileUrl":"a:', '%20', '%2"}'),
  'base64 that is wrong at its end': filled(
    '{"userName":"a","x509Certificates":[{"value":"',
    'AAAA',
    'A"}]}',
  ),
  'marks that combine': filled('{"userName":"a', '\\u0301\\u0327', '"}'),
  'values beyond what there may be': filled('{"userName":"a","attributes":{"a":"0"', ',"b":"0"', '}}'),
};

const named = (format: 'json' | 'xml', bodies: typeof xml): FilledBody[] =>
  Object.entries(bodies).map(([name, body]) => ({ name: `${name}, in ${format}`, format, body }));

export const filledBodies: readonly FilledBody[] = [...named('json', json), ...named('xml', xml)];

/** Of those that the service takes the one that it works on longest: the largest user, each character a reference, in UTF-16. */
export function slowestUser(): Buffer {
  const { attributes = {} } = largestUser();
  const entries = Object.entries(attributes).map(([name, value]) => {
    const references = [...value].map((character) => `&#${character.codePointAt(0)};`).join('');
    return `<attribute name="${name}">${references}</attribute>`;
  });
  const text = `<user><userName>slowest</userName><attributes>${entries.join('')}</attributes></user>`;
  return Buffer.from(`\uFEFF${text}`, 'utf16le');
}
