import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect } from 'chai';
import { aDataFolder, type Ended, launch } from '../support/process.ts';

/** In KiB. */
export const maxMemory = 200 * 1024;
const mebibyte = 2 ** 20;

/** Has the program tell at its end what memory it needed at most. */
const telling = `
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
const peak = () => /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1];
if (isMainThread) process.on('exit', () => process.stderr.write('peak ' + peak() + '\\n'));`;
const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(telling)}` };

export const peakOf = (told: readonly string[]): number =>
  Number(/^peak (\d+)$/.exec(told.at(-1) ?? '')?.[1]);

/** What is told of a file that can't be read, once the memory has been looked at. */
export function readRefusal({ code, told }: Ended): string {
  expect(peakOf(told)).to.be.within(1, maxMemory);
  const refusals = told.filter((line) => line.startsWith('Not finished: '));
  expect([code, refusals.length], told.join('\n')).to.deep.equal([1, 1]);
  expect(refusals[0]).not.to.match(/secret/);
  return refusals[0] ?? '';
}

export const importing = (folder: string, file: string, ...more: string[]) =>
  launch(['import', file, ...more], folder, env, { stdin: 'pipe' });

/** A text of any length, a megabyte at a time. */
export function* repeat(begin: string, text: string, megabytes: number): Generator<Buffer> {
  yield Buffer.from(begin);
  const piece = Buffer.alloc(mebibyte, text);
  for (let at = 0; at < megabytes; at += 1) yield piece;
}

type Endless = readonly [format: string, begin: string, text: string];

const xmlStart = '<users xmlns="urn:user-management:1"><user><userName>';

/** Each in one piece that never ends: its format, and how it begins. */
export const endless: readonly Endless[] = [
  ['jsonl', '{"userName":"', 'a'],
  ['json', '{"users":[{"userName":"', 'a'],
  ['xml', xmlStart, 'a'],
  ['xml', '<users xmlns="', 'a'],
  ['xml', '<!--', 'a'],
  ['csv', 'userName\n"', 'a'],
  ['csv', '', 'userName,'],
];

export function itIsRefusedUnread([format, begin, text]: Endless): void {
  it(`with a gigabyte of ${JSON.stringify(text)} after '${begin}' in ${format} is refused before it is read`, async () => {
    const { child, ended } = importing(aDataFolder(), '-', '--format', format);
    // It reads no further, and closes the pipe.
    const [outcome] = await Promise.all([
      ended,
      pipeline(Readable.from(repeat(begin, text, 1024)), child.stdin as NodeJS.WritableStream).catch(
        () => undefined,
      ),
    ]);
    expect(readRefusal(outcome)).to.match(/standard input: (?:line \d+, column \d+|row \d+, cell A\d+): /);
  });
}
