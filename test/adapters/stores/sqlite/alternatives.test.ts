import { expect } from 'chai';
import { anyOf, type Condition } from '../../../../src/domain/find/conditions.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aUser } from '../../../support/a-user.ts';
import { asked } from '../../../support/asked.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { giveStore } from './a-file.ts';

const words = Array.from({ length: 64 }, (_, at) => `word${at}`);
/** Half of the users have all the words. They are last in the order. */
const users = Array.from({ length: 2000 }, (_, at) =>
  Stored.of(
    aUser({
      id: `user-${String(at).padStart(6, '0')}`,
      displayName: at < 1000 ? 'Ada' : words.slice(0, 20).join(' '),
      title: at < 1000 ? 'Ada' : words.slice(20, 40).join(' '),
      name: { familyName: at < 1000 ? 'Ada' : words.slice(40).join(' ') },
      roles: ['reader'],
    }),
  ),
);

describe('Alternatives that very many users match in SQLite', () => {
  let store: UserStore;
  giveStore(users, (given) => {
    store = given;
  });
  const anyWord = anyOf(words.map((word): Condition => asked(word).where));

  it('are counted only up to the limit of the count', async () => {
    const cases: readonly Condition[] = [anyWord, asked('word7').where, { filter: 'email', key: 'nobody' }];
    for (const where of cases)
      for (const most of [0, 10, 400, 999, 1000, 5000]) {
        const all = 'filter' in where ? 0 : 1000;
        expect(await store.count({ where, most }), `${most}`).to.equal(Math.min(all, most + 1));
      }
    expect(await store.count({ where: anyWord })).to.equal(1000);
  });

  it('find users at any place of the order', async () => {
    const ids = users.slice(1000).map(({ id }) => id);
    for (const limit of [17, 64]) {
      const found = await store.list({ where: anyWord, limit });
      expect(found.map(({ id }) => id)).to.deep.equal(ids.slice(0, limit));
      const last = await store.list({ where: anyWord, limit, backward: true });
      expect(last.map(({ id }) => id)).to.deep.equal(ids.slice(-limit).toReversed());
    }
  });
});

describe('One id in SQLite', () => {
  let store: UserStore;
  giveStore(users.slice(0, 30), (given) => {
    store = given;
  });

  it('is found and counted, in any sort order, before an earlier search ends', async () => {
    const { id } = users[7] as Stored<User>;
    let searched = false;
    const search = store.list({ ...asked('reader'), limit: 5 }).then(() => {
      searched = true;
    });
    for (const by of [undefined, 'userName', 'displayName']) {
      const found = await store.list({ where: { id }, sort: { by }, limit: 17 });
      expect(found.map((user) => user.id)).to.deep.equal([id]);
    }
    expect(await store.count({ where: { id } })).to.equal(1);
    expect(searched).to.equal(false);
    await search;
  });
});
