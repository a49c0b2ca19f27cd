/**
 * The file of declared attributes changes again and again, and the service is killed while users are written and indexes are built: no answered value
 * is lost, and each list is right or refused.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Declared } from '../../src/domain/kinds/attributes/declaration.ts';
import { until } from '../support/deadlines.ts';
import {
  aDataFolder,
  discardProcesses,
  type Environment,
  type Process,
  startProcess,
} from '../support/process.ts';
import { runs } from '../support/runs.ts';

interface Values {
  readonly level?: string;
  readonly badge?: number;
}

/** What may change without a refusal. Types never do. */
const anyDeclarations = fc.record({
  level: fc.record({ filter: fc.boolean(), sort: fc.boolean(), search: fc.boolean() }),
  badge: fc.record({ filter: fc.boolean(), sort: fc.boolean() }),
});
type Flags = typeof anyDeclarations extends fc.Arbitrary<infer T> ? T : never;

const anyValues: fc.Arbitrary<Values> = fc.record(
  { level: fc.constantFrom('junior', 'senior'), badge: fc.integer({ min: 1, max: 5 }) },
  { requiredKeys: [] },
);

const anyRound = fc.record({
  flags: anyDeclarations,
  writes: fc.array(fc.record({ user: fc.nat(9), values: anyValues }), {
    minLength: 1,
    maxLength: 40,
    size: 'max',
  }),
  /** After so many answers it is killed. */
  answers: fc.nat(30),
});
type Round = typeof anyRound extends fc.Arbitrary<infer T> ? T : never;

const userCount = 10;
const idOf = (user: number): string => `00000000-0000-4000-8000-${String(user).padStart(12, '0')}`;

/** What may be stored of each user: the last answered write, and those after it that were not answered. */
class Known {
  readonly possible = new Map<number, Values[]>(Array.from({ length: userCount }, (_, user) => [user, [{}]]));

  sent(user: number, values: Values): void {
    this.possible.get(user)?.push(values);
  }

  answered(user: number, values: Values): void {
    this.possible.set(user, [values]);
  }
}

const headersOf = async (service: Process) => ({
  Authorization: `Bearer ${await service.token()}`,
  'Content-Type': 'application/json',
});

async function put(service: Process, user: number, values: Values): Promise<number> {
  const attributes = Object.keys(values).length > 0 ? { attributes: values } : {};
  const answer = await fetch(`${service.url}/users/${idOf(user)}`, {
    method: 'PUT',
    headers: await headersOf(service),
    body: JSON.stringify({ userName: `user${user}`, ...attributes }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

async function get(service: Process, path: string) {
  const answer = await fetch(service.url + path, { headers: await headersOf(service) });
  return { status: answer.status, json: JSON.parse(await answer.text()) };
}

/** Each user's writes follow each other; users are written side by side. */
async function write(service: Process, known: Known, { writes, answers }: Round): Promise<void> {
  let left = answers;
  const byUser = Map.groupBy(writes, ({ user }) => user);
  const kill = async (): Promise<void> => {
    left = Number.NEGATIVE_INFINITY;
    await service.stop('SIGKILL');
  };
  const all = [...byUser].map(async ([user, own]) => {
    for (const { values } of own) {
      if (left <= 0) return;
      known.sent(user, values);
      const status = await put(service, user, values).catch(() => undefined);
      if (status === undefined) return;
      expect(status).to.equal(200);
      known.answered(user, values);
      left -= 1;
      if (left === 0) await kill();
    }
  });
  await Promise.all(all);
  if (left > Number.NEGATIVE_INFINITY) await kill();
}

/** Reads what is stored, which then is the only possibility, and compares each list with it. */
async function expectAll(service: Process, known: Known, { level, badge }: Flags): Promise<void> {
  const stored: { id: string; attributes: Values }[] = [];
  for (const [user, possible] of known.possible) {
    const { json } = await get(service, `/users/${idOf(user)}`);
    const attributes: Values = json.attributes ?? {};
    expect(possible, `user${user}`).to.deep.include(attributes);
    known.answered(user, attributes);
    stored.push({ id: idOf(user), attributes });
  }
  const idsOf = async (query: string): Promise<readonly string[]> => {
    let found: readonly string[] = [];
    await until(`${query} is answered`, async () => {
      const { status, json } = await get(service, `/users?${query}`);
      if (status === 503) return false;
      expect(status, query).to.equal(200);
      found = json.users.map(({ id }: { id: string }) => id);
      return true;
    });
    return found;
  };
  const wanted = (is: (values: Values) => boolean): readonly string[] =>
    stored.filter(({ attributes }) => is(attributes)).map(({ id }) => id);
  if (level.filter)
    expect(await idsOf('attributes.level=senior')).to.deep.equal(wanted((of) => of.level === 'senior'));
  if (level.filter)
    expect(await idsOf('attributes.level.exists=false')).to.deep.equal(
      wanted((of) => of.level === undefined),
    );
  if (level.search) expect(await idsOf('search=jun')).to.deep.equal(wanted((of) => of.level === 'junior'));
  if (badge.filter)
    expect(await idsOf('attributes.badge.from=3')).to.deep.equal(wanted((of) => (of.badge ?? 0) >= 3));
  if (badge.sort) {
    const sorted = stored.toSorted(
      (one, other) => (one.attributes.badge ?? 9) - (other.attributes.badge ?? 9),
    );
    expect(await idsOf('sort=attributes.badge')).to.deep.equal(sorted.map(({ id }) => id));
  }
}

/** @param store its settings */
export function itSurvivesChanges(store: () => Environment): void {
  afterEach(discardProcesses);

  it('loses no answered value and gives no wrong list, however often the file changes and the service is killed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRound, { minLength: runs(30), maxLength: runs(30) }), async (rounds) => {
        const folder = aDataFolder();
        const known = new Known();
        const start = (flags: Flags): Promise<Process> => {
          const attributes: Record<string, Declared> = {
            level: { type: 'string', ...flags.level },
            badge: { type: 'integer', ...flags.badge },
          };
          writeFileSync(join(folder, 'attributes.json5'), JSON.stringify({ attributes }));
          return startProcess({ folder, env: { ...store(), USERS_ATTRIBUTES_FILE: 'attributes.json5' } });
        };
        const [first] = rounds;
        if (first === undefined) return;
        const service = await start(first.flags);
        for (let user = 0; user < userCount; user += 1)
          await fetch(`${service.url}/users`, {
            method: 'POST',
            headers: await headersOf(service),
            body: JSON.stringify({ id: idOf(user), userName: `user${user}` }),
          });
        await service.stop();
        for (const round of rounds) {
          const running = await start(round.flags);
          await expectAll(running, known, round.flags);
          await write(running, known, round);
        }
        await discardProcesses();
      }),
      // The store is not empty again: a smaller case would begin with what is left of this one.
      { numRuns: 1, endOnFailure: true },
    );
  });
}
