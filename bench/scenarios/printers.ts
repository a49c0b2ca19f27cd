/** The printers alone: compares XML with JSON for the same users, parsed from JSON. */
import type { User } from '../../src/domain/kinds/user/user.ts';
import type { Outcome } from '../result.ts';
import type { Stage } from '../stage.ts';
import { codecs, readCpu, toOutcome, users } from './format-rates.ts';

type Print = () => number;

/** For one user and for a list, by format. They return the length of the document. */
const printers: Readonly<Record<string, Readonly<Record<string, Print>>>> = {
  one: Object.fromEntries(
    codecs.map(({ name, codec }) => {
      let at = 0;
      return [name, () => codec.print(users[at++ % users.length] as User).length];
    }),
  ),
  'list of 100': Object.fromEntries(
    codecs.map(({ name, codec: { list } }) => [
      name,
      () => (list.open() + users.map((user) => list.item(user)).join(list.between) + list.close).length,
    ]),
  ),
};

/** Documents a second of CPU time. */
function measureRate(print: Print, ms: number): number {
  let count = 0;
  let length = 0;
  const start = readCpu();
  while (readCpu() - start < ms * 1000) {
    for (let times = 0; times < 10; times += 1) length += print();
    count += 10;
  }
  if (length === 0) throw new Error('nothing was printed');
  return (count * 1e6) / (readCpu() - start);
}

const atLeast: Readonly<Record<string, number>> = { one: 0.85, 'list of 100': 0.8 };

export async function measurePrinters(stage: Stage): Promise<Outcome> {
  const outcomes = Object.entries(printers).map(([what, { json, xml }]) => {
    if (json === undefined || xml === undefined) throw new Error('a format is missing');
    const rates: { json: number[]; xml: number[] } = { json: [], xml: [] };
    for (let round = 0; round <= 2 * stage.rounds; round += 1) {
      const [asJson, asXml] = [measureRate(json, 30), measureRate(xml, 30)];
      if (round === 0) continue;
      rates.json.push(asJson);
      rates.xml.push(asXml);
    }
    return { what, rates, atLeast: atLeast[what] };
  });
  return toOutcome('printers', 'printed', outcomes);
}
