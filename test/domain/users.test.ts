import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { matchAll } from '../../src/domain/find/conditions.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import type { Caller, Principal } from '../../src/domain/ports.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { type Edit, type Precondition, unchanged } from '../../src/domain/use-cases/resource-writes.ts';
import { users } from '../../src/domain/use-cases/users.ts';
import { DomainError } from '../../src/domain/validation/errors.ts';
import { refused } from '../contract/refusals.ts';
import { aUser, changed } from '../support/a-user.ts';
import { memoryStore, portOf } from '../support/stores.ts';
import type { UserStore } from '../support/verbs.ts';

const clock = { now: () => new Date() };
const ids = { id: randomUUID, version: randomUUID };
const writer: Caller = { id: 'writer', via: 'test', scopes: new Set(['users:write']) };
const reader: Principal = { id: 'reader', scopes: new Set(['users:read']) };

/** More than a user can hold, though each of them is allowed. */
const tooMany = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`a${at}`, 'x'.repeat(1000)]));

describe('A replacement that is too large', () => {
  it('is refused for its size before a missing user or a failed precondition is reported', async () => {
    const store = memoryStore();
    const user = aUser();
    await store.insert(Stored.of(user));
    const replace = (id: string, attributes: object) =>
      users(portOf(store), clock, ids).replace(writer, id, { userName: 'new', attributes }, () => false);
    for (const [id, code] of [
      [user.id, 'precondition-failed'],
      [randomUUID(), 'user-not-found'],
    ] as const) {
      await refused(replace(id, {}), code);
      const { violations } = await refused(replace(id, tooMany), 'invalid-user');
      expect(violations.map(({ pointer }) => pointer)).to.deep.equal(['']);
    }
    expect((await store.find(user.id))?.value).to.deep.equal(user);
  });
});

describe('A change of a user', () => {
  let store: UserStore;
  let user: User;
  /** The versions that the edit and the precondition were called with, in turn. */
  let calls: [who: 'edit' | 'precondition', version: string | undefined][];

  beforeEach(async () => {
    store = memoryStore();
    user = aUser({ title: 'first', active: false, roles: ['a'] });
    calls = [];
    await store.insert(Stored.of(user));
  });

  const change = (edit: Edit<User>, precondition?: Precondition, principal = writer): Promise<Stored<User>> =>
    users(portOf(store), clock, ids).change(
      principal,
      user.id,
      (current) => {
        calls.push(['edit', current.meta.version]);
        return edit(current);
      },
      precondition &&
        ((current) => {
          calls.push(['precondition', current?.meta.version]);
          return precondition(current);
        }),
    );
  const found = async (): Promise<User | undefined> => (await store.find(user.id))?.value;
  const addRole: Edit<User> = ({ roles = [], ...rest }) => ({ ...rest, roles: [...roles, 'b'] });

  /** Somebody else writes between the first reading and the first writing from now on. Returns what they write. */
  function intrude(): User {
    const theirs = changed(user, { title: 'second' });
    const replace = store.replace.bind(store);
    store.replace = async (next, version) => {
      store.replace = replace;
      await replace(Stored.of(theirs), user.meta.version);
      return replace(next, version);
    };
    return theirs;
  }

  it('replaces the user by the result of the edit, and returns it', async () => {
    const next = await change(addRole);
    expect(await found()).to.deep.equal(next.value);
    expect(next.value).to.deep.equal({ ...user, roles: ['a', 'b'], meta: next.meta });
    expect(next.meta.created).to.equal(user.meta.created);
    expect(next.meta.version).not.to.equal(user.meta.version);
  });
  it('leaves meta to the service, and keeps active', async () => {
    const edit: Edit<User> = ({ active: _, ...rest }) => ({ ...rest, meta: { version: 'mine' } });
    const next = await change(edit);
    expect(next.value).to.deep.equal({ ...user, meta: next.meta });
    expect(next.meta.version).not.to.equal('mine');
  });
  it('writes nothing when the edit returns unchanged, and returns the user if the precondition holds', async () => {
    store.replace = () => Promise.reject(new Error('nothing is to be written'));
    expect(
      (
        await change(
          () => unchanged,
          () => true,
        )
      ).value,
    ).to.deep.equal(user);
    await refused(
      change(
        () => unchanged,
        () => false,
      ),
      'precondition-failed',
    );
  });
  it('is repeated with the newer user after a concurrent write, whose changes stay', async () => {
    const theirs = intrude();
    const { roles, title } = (await change(addRole)).value;
    expect([roles, title]).to.deep.equal([['a', 'b'], 'second']);
    expect(calls).to.deep.equal([
      ['edit', user.meta.version],
      ['edit', theirs.meta.version],
    ]);
  });
  it('evaluates its precondition before each attempt', async () => {
    const theirs = intrude();
    await change(addRole, () => true);
    expect(calls).to.deep.equal([
      ['precondition', user.meta.version],
      ['edit', user.meta.version],
      ['precondition', theirs.meta.version],
      ['edit', theirs.meta.version],
    ]);
  });
  it('is refused when its precondition no longer holds for the user that it would replace', async () => {
    const theirs = intrude();
    const isAsRead: Precondition = (current) => current?.meta.version === user.meta.version;
    await refused(change(addRole, isAsRead), 'precondition-failed');
    expect(calls.map(([who]) => who)).to.deep.equal(['precondition', 'edit', 'precondition']);
    expect(await found()).to.deep.equal(theirs);
  });
  it('changes nothing when the edit throws, and throws the same', async () => {
    for (const error of [new DomainError('invalid-user', 'no such path'), new Error('a fault')]) {
      const cause = await change(() => {
        throw error;
      }).catch((reason: unknown) => reason);
      expect(cause).to.equal(error);
      expect(await found()).to.deep.equal(user);
    }
  });

  const wrong: Record<string, [edit: Edit<User>, pointer: string]> = {
    'is none': [() => undefined, ''],
    'lacks a userName': [({ userName: _, ...rest }) => rest, '/userName'],
    'has a member that no user has': [(current) => ({ ...current, password: 'x' }), '/password'],
    'has another id': [(current) => ({ ...current, id: randomUUID() }), '/id'],
    'is too large': [(current) => ({ ...current, attributes: tooMany }), ''],
    'is what it was given, spoilt': [(current) => Object.assign(current, { roles: ['a', 'a'] }), '/roles'],
  };
  for (const [what, [edit, pointer]] of Object.entries(wrong)) {
    it(`is refused with a pointer when the result of the edit ${what}`, async () => {
      const { violations } = await refused(change(edit), 'invalid-user');
      expect(violations.map((violation) => violation.pointer)).to.deep.equal([pointer]);
      expect(await found()).to.deep.equal(user);
    });
  }
  it('does not validate unchanged members again', async () => {
    const old = aUser({ timezone: 'a rule of today forbids this' });
    await store.insert(Stored.of(old));
    user = old;
    expect((await change(addRole)).value.timezone).to.equal(old.timezone);
    const spoil: Edit<User> = (current) => ({ ...current, timezone: 'and this' });
    await refused(change(spoil), 'invalid-user');
  });
  it('does not begin without permission to write, nor for a user who cannot be read or is gone', async () => {
    await refused(change(addRole, undefined, { ...reader, via: 'test' }), 'insufficient-scope');
    store.find = async (id) => new Stored<User>(`{"id":"${id}"`);
    await refused(change(addRole), 'damaged');
    store.find = async () => undefined;
    await refused(change(addRole), 'user-not-found');
    expect(calls).to.deep.equal([]);
  });
});

describe('A list of users', () => {
  it('skips the requested number once, however many batches it reads', async () => {
    const store = memoryStore();
    const all = Array.from({ length: 200 }, (_, at) => aUser({ id: String(at).padStart(4, '0') }));
    for (const user of all) await store.insert(Stored.of(user));
    const everyone = all.map(({ id }) => id);
    const list = async (walk: {
      skip?: number;
      after?: { id: string };
      limit?: number;
    }): Promise<string[]> => {
      const found: string[] = [];
      for await (const batch of users(portOf(store), clock, ids).list(reader, { where: matchAll, ...walk }))
        found.push(...batch.map(({ id }) => id));
      return found;
    };
    expect(await list({ skip: 30 })).to.deep.equal(everyone.slice(30));
    expect(await list({ skip: 30, limit: 150 })).to.deep.equal(everyone.slice(30, 180));
    expect(await list({ skip: 30, after: { id: '0009' } })).to.deep.equal(everyone.slice(40));
    expect(await list({ skip: 200 })).to.deep.equal([]);
  });
});
