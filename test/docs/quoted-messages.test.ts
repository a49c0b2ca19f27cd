import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { read } from './printed-commands.ts';

const filesBelow = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');

/** Texts of the sources as they are printed, with concatenated literals joined. */
const sources = filesBelow('src')
  .replaceAll("\\'", "'")
  .replace(/['`]\s*\+\s*['`]/g, '');

/** Of Node, SQLite and systemd. */
const notOurs = [
  'permission denied',
  'database is locked',
  'SQLITE_CORRUPT: database disk image is malformed',
  'ENOENT: no such file or directory',
  'start request repeated too quickly',
  'write EPIPE',
];

/** Code in the first column of tables: the messages that an operator sees. `…` and `<id>` stand for variable parts. */
const quotedIn = (text: string): string[] =>
  [...text.matchAll(/^\| (.*?) (?<!\\)\| /gm)]
    .flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted))
    .filter((quoted) => quoted.includes(' ') && !/^(?:--|restore )/.test(quoted))
    .flatMap((quoted) => quoted.split(/…|<id>/))
    .map((part) => part.replace(/^[\s:,(]+|[\s:,)]+$/g, ''))
    .filter((part) => part.length > 3 && !notOurs.includes(part));

describe('The messages of the program', () => {
  for (const page of ['docs/faults.md', 'docs/operate/at-three-in-the-morning.md'])
    it(`are quoted literally: ${page}`, () => {
      const symptoms = quotedIn(read(page));
      expect(symptoms.length).to.be.above(10);
      for (const symptom of symptoms) expect(sources.includes(symptom), symptom).to.equal(true);
    });

  const refusals = quotedIn(read('docs/authentication.md').split('## Check it')[1] ?? '');

  it('that refuse credentials are quoted as clients receive them', () => {
    const rows = ['docs/okta.md', 'docs/entra-id.md', 'docs/onelogin.md'].flatMap((page) =>
      [...read(page).matchAll(/^\| 401 .*$/gm)].flatMap(([row]) => quotedIn(row)),
    );
    expect(rows.length).to.be.above(10);
    for (const quoted of [...refusals, ...rows]) expect(sources.includes(quoted), quoted).to.equal(true);
  });

  it('that refuse credentials are all in the table of docs/authentication.md, by their first words', () => {
    const credentials = filesBelow('src/adapters/credentials');
    const messages = /(?:unauthenticated\(\s*'[\w-]+',\s*|form: |mustHave\()['`]([^$'`]+)/g;
    const beginnings = [...credentials.matchAll(messages)].map(([, text = '']) => text.trim());
    expect(beginnings.length).to.be.above(20);
    for (const one of beginnings) {
      const isQuoted = refusals.some((quoted) => one.startsWith(quoted) || quoted.startsWith(one));
      expect(isQuoted, one).to.equal(true);
    }
  });
});
