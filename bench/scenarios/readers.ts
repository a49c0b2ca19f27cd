/** The readers alone: compares XML with JSON for the same users, each as it is printed. */
import { runToEnd } from '../../src/adapters/formats/port/format.ts';
import type { Outcome } from '../result.ts';
import type { Stage } from '../stage.ts';
import { codecs, type FormatRates, readCpu, toOutcome, users } from './format-rates.ts';

/** As a file or a body arrives. */
const chunkBytes = 64 * 1024;
const maxRowLength = 256 * 1024;

async function* inChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += chunkBytes) yield bytes.subarray(from, from + chunkBytes);
}

type Read = () => Promise<number>;

/** For one user and for a list, by format. They return how many were read. */
const readers: Readonly<Record<string, Readonly<Record<string, Read>>>> = {
  one: Object.fromEntries(
    codecs.map(({ name, codec }) => {
      const bodies = users.map((user) => Buffer.from(codec.print(user)));
      const read: Read = async () =>
        bodies.filter((body) => runToEnd(codec.read(body)).violations.length === 0).length;
      return [name, read];
    }),
  ),
  'list of 100': Object.fromEntries(
    codecs.map(({ name, codec, lists }) => {
      const { open, item, between, close } = codec.list;
      const list = Buffer.from(open() + users.map(item).join(between) + close);
      const read: Read = async () => {
        let count = 0;
        for await (const batch of lists.read(inChunks(list), { maxRowLength }))
          count += batch.filter(({ violations }) => violations.length === 0).length;
        return count;
      };
      return [name, read];
    }),
  ),
};

/** Users a second of CPU time. */
async function measureRate(read: Read, ms: number): Promise<number> {
  let count = 0;
  const start = readCpu();
  while (readCpu() - start < ms * 1000) {
    const now = await read();
    if (now !== users.length) throw new Error('not all users were read');
    count += now;
  }
  return (count * 1e6) / (readCpu() - start);
}

/** Reading XML takes ten times as long at most. */
const atLeast = 0.1;

export async function measureReaders(stage: Stage): Promise<Outcome> {
  const outcomes: FormatRates[] = [];
  for (const [what, { json, xml }] of Object.entries(readers)) {
    if (json === undefined || xml === undefined) throw new Error('a format is missing');
    const rates: { json: number[]; xml: number[] } = { json: [], xml: [] };
    for (let round = 0; round <= 2 * stage.rounds; round += 1) {
      const [asJson, asXml] = [await measureRate(json, 60), await measureRate(xml, 60)];
      if (round === 0) continue;
      rates.json.push(asJson);
      rates.xml.push(asXml);
    }
    outcomes.push({ what, rates, atLeast });
  }
  return toOutcome('readers', 'read', outcomes);
}
