import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { findFileFormat } from '../../src/adapters/formats/file-formats.ts';
import { aDataFolder, discardProcesses } from '../support/process.ts';
import { take } from './taken-files.ts';

const xmlStart = '<users xmlns="urn:user-management:1"><user><userName>';
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** By the fault: the name, the content, and the message. */
const wrongFiles: readonly (readonly [what: string, name: string, content: string | Buffer, told: RegExp])[] =
  [
    ['JSON as XML', 'a.xml', '{"users":[{"userName":"secret"}]}', /line 1, column \d+: /],
    ['XML as JSON', 'a.json', `${xmlStart}secret</userName></user></users>`, /line 1, column 1: /],
    ['XML as a table', 'a.csv', `${xmlStart}secret</userName></user></users>`, /row 1, cell A1: /],
    ['an image as a table', 'a.csv', Buffer.from('89504e470d0a1a0a0000000d', 'hex'), /row 1, cell A1: /],
    ['one user in place of a list', 'a.json', '{"userName":"secret"}', /line 1, column \d+: /],
    ['JSON that is cut off', 'a.json', '{"users":[{"userName":"secret', /line 1, column \d+: /],
    ['XML that is cut off', 'a.xml', `${xmlStart}secret`, /line 1, column \d+: /],
    ['a table that is cut off', 'a.csv', 'userName\n"secret', /row 2, cell A2: /],
    ['nothing as XML', 'a.xml', '', /line 1, column 1: /],
    ['nothing as JSON', 'a.json', '', /line 1, column 1: /],
    ['nothing as a table', 'a.csv', '', /row 1, cell A1: /],
    [
      'lines in another encoding',
      'a.jsonl',
      latin1('{"userName":"\xe9secret"}\n'),
      /line 1, column 14: the file is not UTF-8; it looks like windows-1252/,
    ],
    ['XML in another encoding', 'a.xml', latin1(`${xmlStart}\xe9secret`), /line 1, column \d+: .*utf-8/i],
    ['JSON with a NUL', 'a.json', '{"users":[\u0000]}', /line 1, column 11: /],
    ['XML with a NUL', 'a.xml', `${xmlStart}a\u0000`, /line 1, column \d+: /],
    [
      'a DOCTYPE',
      'a.xml',
      `<!DOCTYPE users [<!ENTITY a "b">]>\n${xmlStart}a`,
      /line 1, column \d+: .*DOCTYPE/,
    ],
    ['a column that there is not', 'a.csv', 'userName,salary\na,1\n', /row 1, cell B1: .*salary/],
    ['a column __proto__', 'a.csv', 'userName,__proto__.active\na,true\n', /row 1, cell B1: /],
    [
      'a workbook',
      'a.csv',
      Buffer.from('504b030414000600', 'hex'),
      /this is a workbook, not CSV: save it as CSV/,
    ],
  ];

describe('An import of an unsuitable file', () => {
  afterEach(discardProcesses);

  for (const [what, name, content, told] of wrongFiles)
    it(`as ${what}, is refused in one line with the place`, async () => {
      const file = join(aDataFolder(), name);
      writeFileSync(file, content);
      const { users, failure = '' } = await take(file, findFileFormat(name) ?? expect.fail(name));
      expect([users, failure.split('\n').length]).to.deep.equal([[], 1]);
      expect(failure)
        .to.match(told)
        .and.not.to.match(/secret/);
    });
});
