import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, type Ended, launch } from '../support/process.ts';

/** In KiB. */
const maxMemory = 200 * 1024;
const mebibyte = 2 ** 20;

/** Has the program tell at its end what memory it needed at most. */
const telling = `
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
const peak = () => /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1];
if (isMainThread) process.on('exit', () => process.stderr.write('peak ' + peak() + '\\n'));`;
const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(telling)}` };

const peakOf = (told: readonly string[]): number => Number(/^peak (\d+)$/.exec(told.at(-1) ?? '')?.[1]);

/** What is told of a file that can't be read, once the memory has been looked at. */
function readRefusal({ code, told }: Ended): string {
  expect(peakOf(told)).to.be.within(1, maxMemory);
  const refusals = told.filter((line) => line.startsWith('Not finished: '));
  expect([code, refusals.length], told.join('\n')).to.deep.equal([1, 1]);
  expect(refusals[0]).not.to.match(/secret/);
  return refusals[0] ?? '';
}

const importing = (folder: string, file: string, ...more: string[]) =>
  launch(['import', file, ...more], folder, env, { stdin: 'pipe' });

const xmlStart = '<users xmlns="urn:user-management:1"><user><userName>';
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** By what is wrong with it: its name, what is in it, and what is told. */
const wrongFiles: readonly (readonly [what: string, name: string, content: string | Buffer, told: RegExp])[] =
  [
    ['JSON as XML', 'a.xml', '{"users":[{"userName":"secret"}]}', /line 1, column \d+: /],
    ['XML as JSON', 'a.json', `${xmlStart}secret</userName></user></users>`, /line 1, column 1: /],
    ['XML as a table', 'a.csv', `${xmlStart}secret</userName></user></users>`, /line 1, column \d+: /],
    ['an image as a table', 'a.csv', Buffer.from('89504e470d0a1a0a0000000d', 'hex'), /line 1, column \d+: /],
    ['one user in place of a list', 'a.json', '{"userName":"secret"}', /line 1, column \d+: /],
    ['JSON that is cut off', 'a.json', '{"users":[{"userName":"secret', /line 1, column \d+: /],
    ['XML that is cut off', 'a.xml', `${xmlStart}secret`, /line 1, column \d+: /],
    ['a table that is cut off', 'a.csv', 'userName\n"secret', /line 2, column \d+: /],
    ['nothing as XML', 'a.xml', '', /line 1, column 1: /],
    ['nothing as JSON', 'a.json', '', /line 1, column 1: /],
    ['nothing as a table', 'a.csv', '', /line 1, column 1: /],
    [
      'lines in another encoding',
      'a.jsonl',
      latin1('{"userName":"\xe9secret"}\n'),
      /line 1, column 14: .*utf-8/,
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
    ['a column that there is not', 'a.csv', 'userName,salary\na,1\n', /line 1, column 10: .*salary/],
    ['a column __proto__', 'a.csv', 'userName,__proto__.active\na,true\n', /line 1, column 10: /],
    ['a million columns', 'a.csv', `userName${',title'.repeat(1_000_000)}\na\n`, /line 1, column \d+: /],
  ];

/** A text of any length, a megabyte at a time. */
function* repeat(begin: string, text: string, megabytes: number): Generator<Buffer> {
  yield Buffer.from(begin);
  const piece = Buffer.alloc(mebibyte, text);
  for (let at = 0; at < megabytes; at += 1) yield piece;
}

/** Each in one piece that never ends: its format, and how it begins. */
const endless: readonly (readonly [format: string, begin: string, text: string])[] = [
  ['jsonl', '{"userName":"', 'a'],
  ['json', '{"users":[{"userName":"', 'a'],
  ['xml', xmlStart, 'a'],
  ['xml', '<users xmlns="', 'a'],
  ['xml', '<!--', 'a'],
  ['csv', 'userName\n"', 'a'],
  ['csv', '', 'userName,'],
];

describe('An import of a file that is none of ours', function () {
  this.timeout(60_000);
  afterEach(discardProcesses);

  for (const [what, name, content, told] of wrongFiles)
    it(`as ${what}, is refused in a line with the place, whatever it holds`, async () => {
      const folder = aDataFolder();
      writeFileSync(join(folder, name), content);
      const { child, ended } = importing(folder, name);
      child.stdin?.end();
      expect(readRefusal(await ended)).to.match(told);
    });

  for (const [format, begin, text] of endless)
    it(`as a gigabyte of ${JSON.stringify(text)} behind '${begin}' in ${format}, is refused before it is read`, async () => {
      const { child, ended } = importing(aDataFolder(), '-', '--format', format);
      // It reads no further, and closes the pipe.
      const [outcome] = await Promise.all([
        ended,
        pipeline(Readable.from(repeat(begin, text, 1024)), child.stdin as NodeJS.WritableStream).catch(
          () => undefined,
        ),
      ]);
      expect(readRefusal(outcome)).to.match(/standard input: line \d+, column \d+: /);
    });

  it('as a bomb of half a gigabyte in gzip, is refused before it is unpacked', async () => {
    const folder = aDataFolder();
    await pipeline(
      Readable.from(repeat('{"userName":"', 'a', 512)),
      createGzip({ level: 1 }),
      createWriteStream(join(folder, 'bomb.jsonl.gz')),
    );
    const { child, ended } = importing(folder, 'bomb.jsonl.gz');
    child.stdin?.end();
    expect(readRefusal(await ended)).to.match(/bomb\.jsonl\.gz: line 1, column 1: /);
  });

  it('of rows that are nearly too large holds a few of them at a time', async () => {
    const row = `{"userName":"","title":"${'secret'.repeat(40_000)}"}\n`;
    const { child, ended } = importing(aDataFolder(), '-', '--format', 'jsonl');
    await pipeline(
      Readable.from(Array.from({ length: 200 }, () => row)),
      child.stdin as NodeJS.WritableStream,
    );
    const { code, log, told } = await ended;
    expect([code, log]).to.deep.equal([2, ['0 created, 0 changed, 0 unchanged, 200 refused']]);
    expect(peakOf(told)).to.be.below(1.25 * maxMemory);
    expect(told.join()).not.to.contain('secret');
  });

  it('of ten million empty lines takes no more memory than one of none', async () => {
    const { child, ended } = importing(aDataFolder(), '-', '--format', 'jsonl');
    await pipeline(Readable.from(repeat('', '\n', 10)), child.stdin as NodeJS.WritableStream);
    const { code, told } = await ended;
    expect([code, peakOf(told) < maxMemory]).to.deep.equal([0, true]);
  });
});
