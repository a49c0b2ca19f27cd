import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { SearchClient } from '../../../../src/adapters/stores/sqlite/search/client.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { outcome } from '../../../contract/refusals.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { asked } from '../../../support/asked.ts';
import { positionOf } from '../../../support/kinds.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { giveFile, giveStore, openAt } from './a-file.ts';

const query = { where: asked('ada').where, limit: 0, total: 'exact' } as const;
const answerOf = (total: number) => ({ documents: [], more: false, total });

const clientOf = (file: string): SearchClient => new SearchClient({ file, kinds: {} }, expect.fail);
const ask = (client: SearchClient, hasLeft?: () => boolean) =>
  outcome(client.page('user', { ...query, hasLeft }, new Map()));

describe('A search thread of the SQLite store', () => {
  let file: string;
  giveFile((path) => {
    file = path;
  });

  it('is replaced when it dies, and its queries are unavailable', async () => {
    const client = clientOf(file);
    // Without a file the thread ends at its start.
    expect(await Promise.all([ask(client), ask(client)])).to.deep.equal(['unavailable', 'unavailable']);
    const store = await openAt(file);
    await store.insert(Stored.of(aUser({ displayName: 'Ada' })));
    expect(await ask(client)).to.deep.equal(answerOf(1));
    await client.close();
    await store.close();
  });

  it('drops a query whose client has disconnected, and answers the others', async () => {
    const store = await openAt(file);
    const client = clientOf(file);
    const [first, second, third] = [ask(client), ask(client, () => true), ask(client)];
    const answer = answerOf(0);
    expect(await Promise.all([first, second, third])).to.deep.equal([answer, 'unavailable', answer]);
    await client.close();
    await store.close();
  });

  it('finishes its query when the store closes, and begins no further one', async () => {
    const store = await openAt(file);
    await store.insert(Stored.of(aUser({ displayName: 'Ada' })));
    const asking = Array.from({ length: 9 }, () => outcome(store.count(asked('ada'))));
    await turn();
    await store.close();
    const outcomes = await Promise.all(asking);
    expect(outcomes[0]).to.equal(1);
    expect(outcomes.at(-1)).to.equal('unavailable');
    expect(await outcome(store.count(asked('ada')))).to.equal('unavailable');
  });
});

describe('A list of several batches from SQLite', () => {
  const users = Array.from({ length: 2000 }, (_, at) =>
    aUser({ userName: `u${String(at).padStart(4, '0')}`, displayName: at % 20 === 0 ? 'Ada' : 'Zoë' }),
  );
  let store: UserStore;
  giveStore(
    users.map((user) => Stored.of(user)),
    (given) => {
      store = given;
    },
  );

  it('shows the users that matched at its beginning, without those that no longer match', async () => {
    const query = { ...asked('ada'), sort: { by: 'userName' }, limit: 10, list: {} };
    const ada = users.filter(({ displayName }) => displayName === 'Ada');
    const seen: string[] = [];
    const gone = new Set<string>();
    for (let after: ReturnType<typeof positionOf> | undefined; ; ) {
      const batch = await store.list({ ...query, after });
      seen.push(...batch.map(({ id }) => id));
      const last = batch.at(-1);
      if (last === undefined) break;
      after = positionOf(last, query.sort);
      const next = ada[ada.findIndex(({ id }) => id === last.id) + 1];
      if (next === undefined) continue;
      gone.add(next.id);
      await store.replace(Stored.of(changed(next, { displayName: 'Zoë' })), next.meta.version);
    }
    expect(seen).to.deep.equal(ada.map(({ id }) => id).filter((id) => !gone.has(id)));
  });
});
