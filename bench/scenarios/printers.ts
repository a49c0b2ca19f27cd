/** The printers alone: XML against JSON, of the same users as JSON.parse made them. */
import { formats } from '../../src/adapters/formats/index.ts';
import { User } from '../../src/domain/user.ts';
import { userAt } from '../directory.ts';
import { type Outcome, quotients } from '../result.ts';
import type { Stage } from '../stage.ts';

const naming = { one: 'user', many: 'users', namespace: 'urn:user-management:1' };
const codecs = formats.map((format) => ({ name: format.name, codec: format.codec<User>(User, naming) }));

const users: readonly User[] = Array.from({ length: 100 }, (_, at) => JSON.parse(JSON.stringify(userAt(at))));

type Print = () => number;

/** By format, what prints one user or a list of them, and says how long it became. */
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
      () => (list.open + users.map((user) => list.item(user)).join(list.between) + list.close).length,
    ]),
  ),
};

/** In microseconds of this process: what others do meanwhile isn't counted. */
const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Documents a second of CPU time. */
function rate(print: Print, ms: number): number {
  let count = 0;
  let length = 0;
  const start = cpu();
  while (cpu() - start < ms * 1000) {
    for (let times = 0; times < 10; times += 1) length += print();
    count += 10;
  }
  if (length === 0) throw new Error('nothing was printed');
  return (count * 1e6) / (cpu() - start);
}

const atLeast: Readonly<Record<string, number>> = { one: 0.85, 'list of 100': 0.8 };

export async function printersAlone(stage: Stage): Promise<Outcome> {
  const outcomes = Object.entries(printers).map(([what, { json, xml }]) => {
    if (json === undefined || xml === undefined) throw new Error('a format is missing');
    const rates: { json: number[]; xml: number[] } = { json: [], xml: [] };
    for (let round = 0; round <= 2 * stage.rounds; round += 1) {
      const [asJson, asXml] = [rate(json, 30), rate(xml, 30)];
      if (round === 0) continue;
      rates.json.push(asJson);
      rates.xml.push(asXml);
    }
    return { what, rates };
  });
  return {
    figures: outcomes.flatMap(({ what, rates }) => [
      { name: `${what}, JSON`, perSecond: rates.json },
      { name: `${what}, XML`, perSecond: rates.xml },
    ]),
    ratios: outcomes.map(({ what, rates }) => ({
      key: `printers-${what.replaceAll(' ', '-')}`,
      what: `XML printed, ${what}`,
      against: 'JSON',
      by: 'CPU' as const,
      rounds: quotients(rates.xml, rates.json),
      atLeast: atLeast[what],
    })),
  };
}
