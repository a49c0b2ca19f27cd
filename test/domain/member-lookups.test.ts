import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { randomIds } from '../../src/adapters/system/clock-and-ids.ts';
import { scopes } from '../../src/domain/scopes.ts';
import { groups } from '../../src/domain/use-cases/groups.ts';
import { memoryStore, portOf } from '../support/stores.ts';

describe('The members that a change removes', () => {
  it('are looked up in the turns of the client that names them', async () => {
    const store = memoryStore();
    const charged = new Set<string | undefined>();
    const watched = Object.assign(Object.create(store), {
      findAll: (ids: readonly string[], client?: string) => {
        charged.add(client);
        return store.findAll(ids, client);
      },
    });
    const useCases = groups(portOf(watched), { now: () => new Date() }, randomIds);
    const remove = Array.from({ length: 1200 }, () => randomUUID());
    const change = useCases.changeMembers(
      { id: 'greedy', via: 'test', scopes: new Set(scopes) },
      randomUUID(),
      {
        add: [],
        remove,
      },
    );
    expect(await change.catch(({ code }) => code)).to.equal('invalid-members');
    expect([...charged]).to.deep.equal(['greedy']);
  });
});
