/** What comparing the formats alone needs, without a server. */

import { fileFormats } from '../../src/adapters/formats/file-formats.ts';
import { formats } from '../../src/adapters/formats/index.ts';
import type { FileCodec } from '../../src/adapters/formats/port/file-format.ts';
import { User } from '../../src/domain/kinds/user/user.ts';
import { userAt } from '../directory.ts';
import { divideEach, type Outcome } from '../result.ts';

const naming = { one: 'user', many: 'users', namespace: 'urn:user-management:1' };
/** Reads lists, as files are read. */
function listsIn(format: string): FileCodec<User> {
  const found = fileFormats.find(({ name }) => name === format);
  if (found === undefined) throw new Error(`no files in ${format}`);
  return found.codec<User>(User, naming);
}

export const codecs = formats.map((format) => ({
  name: format.name,
  codec: format.codec<User>(User, naming),
  lists: listsIn(format.name),
}));

/** Parsed from JSON, as users that come from a store. */
export const users: readonly User[] = Array.from({ length: 100 }, (_, at) =>
  JSON.parse(JSON.stringify(userAt(at))),
);

/** Of this process, in microseconds, so that others' work doesn't count. */
export const readCpu = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** By what was done, such as `list of 100`; each format's rates by round. */
export interface FormatRates {
  readonly what: string;
  readonly rates: { readonly json: readonly number[]; readonly xml: readonly number[] };
  readonly atLeast: number | undefined;
}

/** @param scenario how the keys begin @param verb what was done to the documents */
export const toOutcome = (scenario: string, verb: string, all: readonly FormatRates[]): Outcome => ({
  figures: all.flatMap(({ what, rates }) => [
    { name: `${what}, JSON`, perSecond: rates.json },
    { name: `${what}, XML`, perSecond: rates.xml },
  ]),
  ratios: all.map(({ what, rates, atLeast }) => ({
    key: `${scenario}-${what.replaceAll(' ', '-')}`,
    what: `XML ${verb}, ${what}`,
    against: 'JSON',
    by: 'CPU' as const,
    rounds: divideEach(rates.xml, rates.json),
    atLeast,
  })),
});
