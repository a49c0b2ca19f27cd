import { expect } from 'chai';
import fc from 'fast-check';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import { randomIds } from '../../src/adapters/system/clock-and-ids.ts';
import { followTime, measureDue, timelyStore } from '../../src/domain/follow-time.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import type { Caller } from '../../src/domain/ports.ts';
import { scopes } from '../../src/domain/scopes.ts';
import type { Store } from '../../src/domain/store.ts';
import { type Users, users } from '../../src/domain/use-cases/users.ts';
import { DomainError } from '../../src/domain/validation/errors.ts';
import { kinds } from '../support/kinds.ts';
import { runs } from '../support/runs.ts';

const start = Date.parse('2027-01-01T00:00:00.000Z');
const hour = 3_600_000;
const at = (hours: number): string => new Date(start + hours * hour).toISOString();
const caller: Caller = { id: 'anna', via: 'users', scopes: new Set(scopes) } as unknown as Caller;

/** A directory whose clock stands until it is set. */
class Directory {
  readonly store: Store = memoryStore();
  readonly clock = { now: () => new Date(this.time) };
  readonly users: Users;
  time = start;

  constructor() {
    this.users = users(timelyStore(this.parts()), this.clock, randomIds);
  }

  parts(store = this.store) {
    return { store, kinds, clock: this.clock, ids: randomIds };
  }

  create = async (user: object): Promise<string> => (await this.users.create(caller, user)).id;
  read = async (id: string): Promise<User> => (await this.users.read(caller, id)).value;
  async follow(): Promise<void> {
    while (await followTime(this.parts()));
  }

  /** The values of `active` in the user's entries by validity, oldest first. */
  async followed(id: string): Promise<unknown[]> {
    const { entries = [] } = (await this.store.changes?.history(100, undefined, { kind: 'user', id })) ?? {};
    return entries
      .filter(({ by }) => by.client === 'validity' && by.via === 'validity')
      .map(({ values }) => values?.after && Reflect.get(values.after, 'active'))
      .reverse();
  }
}

async function violationsOf(run: Promise<unknown>): Promise<unknown> {
  const error = await run.then(
    () => expect.fail('nothing was refused'),
    (reason: unknown) => reason,
  );
  return error instanceof DomainError ? error.violations : expect.fail(String(error));
}

describe('The validity of a user', () => {
  let directory: Directory;
  beforeEach(() => {
    directory = new Directory();
  });

  it('ends once: active becomes false at validUntil, in an entry by validity', async () => {
    const id = await directory.create({ userName: 'ada', validUntil: at(1) });
    directory.time = start + hour - 1;
    await directory.follow();
    expect((await directory.read(id)).active).to.equal(true);
    directory.time += 1;
    await directory.follow();
    await directory.follow();
    expect((await directory.read(id)).active).to.equal(false);
    expect(await directory.followed(id)).to.deep.equal([false]);
  });
  it('ends or begins while the user is deleted, too: the user is restored as of now', async () => {
    const ending = await directory.create({ userName: 'ada', validUntil: at(1) });
    const beginning = await directory.create({ userName: 'grace', validFrom: at(1) });
    const later = await directory.create({ userName: 'mary', validFrom: at(3), validUntil: at(9) });
    for (const id of [ending, beginning, later]) await directory.users.remove(caller, id);
    directory.time = start + 2 * hour;
    await directory.follow();
    for (const id of [ending, beginning, later]) await directory.users.restore(caller, id, true);
    const active = async (id: string) => (await directory.read(id)).active;
    expect([await active(ending), await active(beginning), await active(later)]).to.deep.equal([
      false,
      true,
      false,
    ]);
    await directory.follow();
    expect(await directory.followed(ending)).to.deep.equal([]);
    directory.time = start + 3 * hour;
    await directory.follow();
    expect(await active(later)).to.equal(true);
  });
  it('begins once: a new user with a later validFrom is inactive until then', async () => {
    const id = await directory.create({ userName: 'ada', validFrom: at(1) });
    expect((await directory.read(id)).active).to.equal(false);
    directory.time = start + hour;
    await directory.follow();
    expect((await directory.read(id)).active).to.equal(true);
    await directory.users.patch(caller, id, { active: false });
    await directory.follow();
    expect((await directory.read(id)).active, 'deactivated by a person').to.equal(false);
    expect(await directory.followed(id)).to.deep.equal([true]);
  });
  it('is kept in UTC with milliseconds', async () => {
    const id = await directory.create({ userName: 'ada', validUntil: '2027-03-31T23:59:59+02:00' });
    expect((await directory.read(id)).validUntil).to.equal('2027-03-31T21:59:59.000Z');
  });
  it('is refused if it ends before it begins, or is no instant', async () => {
    const order = { userName: 'ada', validFrom: at(2), validUntil: at(2) };
    expect(await violationsOf(directory.create(order))).to.deep.equal([
      { pointer: '/validFrom', detail: 'must be before validUntil' },
      { pointer: '/validUntil', detail: 'must be after validFrom' },
    ]);
    for (const validFrom of ['2027-03-31', 'tomorrow', '2027-06-30T23:59:60Z'])
      expect(await violationsOf(directory.create({ userName: 'ada', validFrom })), validFrom)
        .to.be.an('array')
        .with.nested.property('[0].pointer', '/validFrom');
  });
  it('refuses a write that sets active to true outside of it, and names the instant', async () => {
    const early = { pointer: '/active', detail: `must not be true before validFrom, ${at(1)}` };
    const late = { pointer: '/active', detail: `must not be true from validUntil on, ${at(2)}` };
    const user = { userName: 'ada', validFrom: at(1), validUntil: at(2) };
    expect(await violationsOf(directory.create({ ...user, active: true }))).to.deep.equal([early]);
    const id = await directory.create(user);
    const activate = () => directory.users.patch(caller, id, { active: true });
    expect(await violationsOf(activate())).to.deep.equal([early]);
    directory.time = start + 2 * hour;
    await directory.follow();
    expect(await violationsOf(activate())).to.deep.equal([late]);
    await directory.users.patch(caller, id, { validUntil: at(3) });
    expect((await directory.read(id)).active, 'a later end does not activate').to.equal(false);
    expect((await activate()).value.active).to.equal(true);
  });
  it('does not refuse other changes of a user that is late', async () => {
    const id = await directory.create({ userName: 'ada', validUntil: at(1) });
    directory.time = start + 2 * hour;
    const { value } = await directory.users.patch(caller, id, { title: 'Countess' });
    expect(value).to.include({ title: 'Countess', active: false });
    expect(await directory.followed(id)).to.deep.equal([false]);
  });
  it('begins before a later write, which then takes effect', async () => {
    const id = await directory.create({ userName: 'ada', validFrom: at(1) });
    directory.time = start + 2 * hour;
    const { version } = (await directory.read(id)).meta;
    const isSame = ({ meta }: { meta: User['meta'] }): boolean => meta.version === version;
    const locked = directory.users.patch(caller, id, { title: 'Countess' }, isSame);
    expect(await locked.catch(({ code }: DomainError) => code)).to.equal('precondition-failed');
    await directory.users.patch(caller, id, { active: false });
    await directory.follow();
    expect((await directory.read(id)).active).to.equal(false);
    expect(await directory.followed(id)).to.deep.equal([true]);
  });
  it('is not lost by a write while the time is in doubt: a write in place of the beginning is refused', async () => {
    const id = await directory.create({ userName: 'ada', validFrom: at(1) });
    const ending = await directory.create({ userName: 'bob', validUntil: at(1) });
    directory.time = start + 2 * hour;
    const doubtful = { ...directory.parts(), clock: { now: () => undefined } };
    const inDoubt = users(timelyStore(doubtful), directory.clock, randomIds);
    const patch = (patched: object) =>
      inDoubt.patch(caller, id, patched).catch(({ code }: DomainError) => code);
    expect(await patch({ title: 'Countess' })).to.equal('unavailable');
    await inDoubt.patch(caller, ending, { title: 'Baron' });
    await directory.follow();
    expect(await directory.followed(id)).to.deep.equal([true]);
    expect(await directory.followed(ending)).to.deep.equal([false]);
  });
  it('never makes a user active whose whole validity has passed', async () => {
    const id = await directory.create({ userName: 'ada', validFrom: at(1), validUntil: at(2) });
    directory.time = start + 3 * hour;
    await directory.follow();
    expect((await directory.read(id)).active).to.equal(false);
    expect(await measureDue(directory.store, kinds, directory.clock)).to.deep.equal({ count: 0, late: 0 });
  });
  it('repeats nothing when the clock is set back', async () => {
    const [ends, begins] = [
      await directory.create({ userName: 'ada', validUntil: at(1) }),
      await directory.create({ userName: 'bob', validFrom: at(1) }),
    ];
    for (const hours of [1, -5, 0, 1, 2]) {
      directory.time = start + hours * hour;
      await directory.follow();
    }
    expect(await directory.followed(ends)).to.deep.equal([false]);
    expect(await directory.followed(begins)).to.deep.equal([true]);
  });
  it('ends 250 users in batches, once each, whichever of two processes is faster', async () => {
    const ids = await Promise.all(
      Array.from({ length: 250 }, (_, number) =>
        directory.create({
          userName: `user-${number}`,
          validUntil: at(number % 3) === at(0) ? at(1) : at(2),
        }),
      ),
    );
    directory.time = start + 2 * hour;
    const { count, late } = await measureDue(directory.store, kinds, directory.clock);
    expect([count, late]).to.deep.equal([250, hour]);
    await Promise.all([directory.follow(), directory.follow()]);
    await directory.follow();
    for (const id of ids) expect(await directory.followed(id)).to.deep.equal([false]);
  });

  it('agrees with a plain reading of the rules, in any order of writes and checks', async () => {
    const step = fc.oneof(
      fc.record({ wait: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ look: fc.constant(true) }),
      fc.record({ active: fc.boolean() }),
      fc.record({ validUntil: fc.integer({ min: 1, max: 12 }) }),
      fc.record({ validFrom: fc.integer({ min: 1, max: 12 }) }),
      fc.record({ title: fc.constantFrom('a', 'b') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const one = new Directory();
        const id = await one.create({ userName: 'ada', active: false });
        /** As if each change by time were on time, which a reader sees after the next look or write. */
        const model = { active: false, from: 0, until: Infinity, hours: 0 };
        const isWithin = () => model.from <= model.hours && model.hours < model.until;
        for (const next of steps) {
          if ('wait' in next) {
            for (let passed = 0; passed < next.wait; passed += 1) {
              model.hours += 1;
              if (model.hours === model.from) model.active = isWithin();
              if (model.hours === model.until) model.active = false;
            }
            one.time = start + model.hours * hour;
            continue;
          }
          if ('look' in next) await one.follow();
          else {
            const patch: Record<string, unknown> = { ...next };
            const wanted = { ...model };
            if ('active' in next) wanted.active = next.active;
            if ('validUntil' in next)
              [wanted.until, patch.validUntil] = [next.validUntil, at(next.validUntil)];
            if ('validFrom' in next) [wanted.from, patch.validFrom] = [next.validFrom, at(next.validFrom)];
            const isIn = wanted.from <= model.hours && model.hours < wanted.until;
            const isRefused =
              wanted.from >= wanted.until ||
              (wanted.active && !isIn && JSON.stringify(wanted) !== JSON.stringify(model));
            const outcome = await one.users.patch(caller, id, patch).then(
              () => 'done',
              ({ code }: DomainError) => code,
            );
            expect(outcome).to.equal(isRefused ? 'invalid-user' : 'done');
            if (!isRefused) Object.assign(model, wanted);
          }
          await one.follow();
          expect((await one.read(id)).active).to.equal(model.active);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});
