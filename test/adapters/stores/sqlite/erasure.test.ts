import Database from 'better-sqlite3';
import { expect } from 'chai';
import { openConnection } from '../../../../src/adapters/stores/sqlite/file/connection.ts';
import { openSqliteStore } from '../../../../src/adapters/stores/sqlite/open-store.ts';
import { Erasures } from '../../../../src/adapters/stores/sqlite/write/erasures.ts';
import type { WriteAnswer } from '../../../../src/adapters/stores/sqlite/write/writer-messages.ts';
import type { GroupDocument } from '../../../../src/domain/kinds/group/kind.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import type { Store, Write } from '../../../../src/domain/store.ts';
import {
  createGroup,
  createUser,
  removeGroup,
  removeUser,
  replaceGroup,
  replaceUser,
} from '../../../contract/change-log.ts';
import { aGroup, changedGroup } from '../../../support/a-group.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { deadline, until } from '../../../support/deadlines.ts';
import { aLife, wordsInGaps, wordsLeft } from '../../../support/personal-values.ts';
import { tester } from '../../../support/store-verbs.ts';
import { giveFile, neverFatal } from './a-file.ts';

describe('A user or group that is erased from a SQLite file', () => {
  let file: string;
  giveFile((path) => {
    file = path;
  });
  const open = () => openSqliteStore({ file, onFatal: neverFatal, busyTimeout: deadline });
  const done = async (store: Store, ...writes: readonly Write[]): Promise<void> => {
    const outcomes = await store.commit(writes, tester);
    expect(new Set(outcomes)).to.deep.equal(new Set(['done']));
  };
  const found = (words: readonly string[]): readonly string[] => wordsLeft(file, words);

  /** Creates and removes rows of other users around the rows of the person, so that pages are split and merged. */
  async function liveAmongOthers(store: Store): Promise<{ last: User; words: string[] }> {
    const lives = Array.from({ length: 4 }, aLife);
    let person = aUser(lives[0]?.fields);
    let others: User[] = [];
    for (const [at, { fields }] of lives.entries()) {
      const more = Array.from({ length: 60 }, () => aUser(aLife().fields));
      await done(store, ...more.slice(0, 30).map((user) => createUser(user)));
      if (at === 0) await done(store, createUser(person));
      else {
        const next = changed(person, fields);
        await done(store, replaceUser(person, next));
        person = next;
      }
      await done(store, ...more.slice(30).map((user) => createUser(user)));
      const moved = others.map((user) => changed(user, aLife().fields));
      if (moved.length > 0)
        await done(store, ...moved.map((next, nth) => replaceUser(others[nth] as User, next)));
      await done(store, ...more.slice(20, 40).map((user) => removeUser(user)));
      others = [...moved, ...more.slice(0, 20), ...more.slice(40)];
    }
    return { last: person, words: lives.flatMap(({ words }) => words) };
  }

  it('is in neither the file nor its WAL when the erasure is answered', async () => {
    const store = await open();
    const { last, words } = await liveAmongOthers(store);
    expect(found(words), 'before').to.have.members(words);
    await done(store, removeUser(last, true));
    expect(found(words)).to.deep.equal([]);
    await store.close();
    expect(found(words)).to.deep.equal([]);
  });

  it('is in neither the file nor its WAL if the user was deleted before', async () => {
    const store = await open();
    const { last, words } = await liveAmongOthers(store);
    await done(store, removeUser(last));
    expect(found(words), 'before').to.have.members(words);
    expect(await store.changes?.erase({ kind: 'user', id: last.id })).to.equal(true);
    expect(found(words)).to.deep.equal([]);
    await store.close();
  });

  it('is in neither the file nor its WAL if it is a group, deleted by the erasure or before', async () => {
    const store = await open();
    const fieldsOf = ([displayName, description, externalId]: readonly string[]) =>
      ({ displayName, description, externalId }) as Partial<GroupDocument>;
    const all = Array.from({ length: 4 }, () => aLife().words);
    const [group, other] = [aGroup(fieldsOf(all[0] ?? [])), aGroup(fieldsOf(all[1] ?? []))];
    const next = changedGroup(group, fieldsOf(all[2] ?? []));
    await done(store, ...Array.from({ length: 60 }, () => createUser(aUser(aLife().fields))));
    await done(store, createGroup(group), createGroup(other));
    await done(store, replaceGroup(group, next));
    await done(store, removeGroup(other));
    const words = all.slice(0, 3).flatMap((some) => some.slice(0, 3));
    expect(found(words), 'before').to.have.members(words);
    await done(store, removeGroup(next, true));
    expect(await store.changes?.erase({ kind: 'group', id: other.id })).to.equal(true);
    expect(found(words)).to.deep.equal([]);
    await store.close();
    expect(found(words)).to.deep.equal([]);
  });

  it('is in neither the file nor its WAL if a small directory grows by many users at once', async () => {
    const store = await open();
    const several = (count: number) => Array.from({ length: count }, () => aUser(aLife().fields));
    const eraseBeside = async (before: number, after: number) => {
      const { fields, words } = aLife();
      const person = aUser(fields);
      await done(store, createUser(person));
      await done(store, ...several(before).map((user) => createUser(user)));
      await done(store, removeUser(person));
      await done(store, ...several(after).map((user) => createUser(user)));
      expect(await store.changes?.erase({ kind: 'user', id: person.id })).to.equal(true);
      expect(found(words)).to.deep.equal([]);
    };
    for (let time = 0; time < 6; time += 1) await eraseBeside(2, 2);
    await eraseBeside(100, 100);
    await eraseBeside(500, 500);
    await store.close();
  });

  it('is not in the unused middle of pages, from which later writes could copy it', async () => {
    const store = await open();
    const looking = new Database(file);
    const people = new Map<string, User>();
    const wordsOf = ({ userName, title = '', nickName = '' }: User) => [userName, title, nickName];
    const leftBehind = (users: readonly User[]) => {
      looking.pragma('wal_checkpoint');
      const left = new Set(wordsInGaps(file, users.flatMap(wordsOf)));
      return users.filter((user) => wordsOf(user).some((word) => left.has(word)));
    };
    const change = async (share: number) => {
      const some = [...people.values()].filter((_, at) => at % share === 0);
      const all = some.map((user) => [user, changed(user, aLife().fields)] as const);
      await done(store, ...all.map(([user, next]) => replaceUser(user, next)));
      for (const [, next] of all) people.set(next.id, next);
    };
    // After some hundred writes SQLite has moved rows and left copies.
    let erased: User[] = [];
    while (erased.length === 0) {
      const more = Array.from({ length: 500 }, () => aUser(aLife().fields));
      await done(store, ...more.map((user) => createUser(user)));
      for (const user of more) people.set(user.id, user);
      await change(1);
      erased = leftBehind([...people.values()]);
    }
    for (const { id } of erased) people.delete(id);
    await Promise.all(erased.map((user) => done(store, removeUser(user, true))));
    expect(found(erased.flatMap(wordsOf))).to.deep.equal([]);
    await change(10);
    expect(leftBehind(erased)).to.deep.equal([]);
    expect(looking.pragma('integrity_check', { simple: true })).to.equal('ok');
    looking.close();
    await store.close();
  });

  it('is erased only after readers of an earlier state in the WAL have ended', async () => {
    const store = await open();
    const { fields, words } = aLife();
    const person = aUser(fields);
    await done(store, createUser(person));
    const reader = new Database(file, { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM users').get();
    let isAnswered = false;
    const erasing = done(store, removeUser(person, true)).then(() => {
      isAnswered = true;
    });
    await until('the user is removed', async () => (await store.find('user', person.id)) === undefined);
    // Other writes go on meanwhile.
    await done(store, createUser(aUser()));
    expect(isAnswered).to.equal(false);
    reader.exec('COMMIT');
    await erasing;
    expect(found(words)).to.deep.equal([]);
    reader.close();
    await store.close();
  });

  it('is in neither the file nor its WAL after a kill before the answer, when the file is opened again', async () => {
    const before = await open();
    const { last, words } = await liveAmongOthers(before);
    await done(before, removeUser(last));
    await before.close();
    const db = openConnection(file, { readonly: false, busyTimeout: deadline });
    db.exec(
      'UPDATE change_log SET personal = NULL, detail = NULL; UPDATE change_log_state SET erased = erased + 1',
    );
    db.close();
    expect(found(words), 'in the index').not.to.deep.equal([]);
    const store = await open();
    const pending = () => {
      const looking = new Database(file, { readonly: true });
      const isPending = looking.prepare('SELECT erased > purged FROM change_log_state').pluck().get();
      looking.close();
      return isPending;
    };
    await until('nothing is left', () => pending() === 0);
    await store.close();
    expect(found(words)).to.deep.equal([]);
  });
});

describe('An erasure in SQLite', () => {
  const answer = (number: number): WriteAnswer => ({ number, result: 'done' });

  /** @param canCut returns, for each attempt, whether readers have left */
  function anErasure(canCut: (attempt: number) => boolean) {
    const did: unknown[] = [];
    let attempts = 0;
    /** Two parts. */
    const twice = (name: string) => (isFirst: boolean) => {
      did.push(isFirst ? name : 'goes on');
      return isFirst;
    };
    const erasures = new Erasures(
      {
        merge: twice('merges'),
        cutWal: () => {
          attempts += 1;
          return canCut(attempts) ? false : undefined;
        },
        look: twice('looks'),
        clear: twice('clears'),
        answer: (answers, reason) =>
          did.push([answers.map(({ number, result }) => [number, result]), reason]),
      },
      false,
    );
    return { erasures, did };
  }

  it('shares its steps with other erasures that arrived before the first step, and not with later ones', () => {
    const { erasures, did } = anErasure(() => true);
    for (const number of [1, 2]) erasures.add([answer(number)]);
    erasures.step();
    erasures.add([answer(3)]);
    while (erasures.isPending) erasures.step();
    const done = (...numbers: number[]) => [numbers.map((number) => [number, 'done']), undefined];
    const steps = ['merges', 'goes on', 'looks', 'goes on', 'clears', 'goes on'];
    expect(did).to.deep.equal([...steps, done(1, 2), ...steps, done(3)]);
  });

  it('has an unknown outcome when another program reads one state of the file for too long, and continues until it is complete', () => {
    const { erasures, did } = anErasure((attempt) => attempt > 20);
    erasures.add([answer(1)]);
    let steps = 0;
    for (; erasures.isPending; steps += 1) erasures.step();
    expect(steps).to.equal(27);
    const [answers, reason] = did[2] as [unknown, string];
    expect(answers).to.deep.equal([[1, 'outcome-unknown']]);
    expect(reason).to.include('still in the file or its log');
    expect(did.slice(3)).to.deep.equal(['looks', 'goes on', 'clears', 'goes on', [[], undefined]]);
  });

  it('goes as far as it can when the writer ends, and leaves the rest to the next start', () => {
    const { erasures, did } = anErasure(() => false);
    erasures.add([answer(1)]);
    erasures.finish();
    expect(did.slice(0, 2)).to.deep.equal(['merges', 'goes on']);
    expect(did[2]).to.have.nested.property('[0][0][1]', 'outcome-unknown');
    expect(erasures.isPending).to.equal(true);
  });
});
