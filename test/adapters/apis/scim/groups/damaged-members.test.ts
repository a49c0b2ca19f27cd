import { expect } from 'chai';
import { memoryStore } from '../../../../../src/adapters/stores/memory/store.ts';
import { Stored } from '../../../../../src/domain/resource/stored.ts';
import { aUser } from '../../../../support/a-user.ts';
import { startService } from '../../../../support/service.ts';
import { tester } from '../../../../support/store-verbs.ts';
import { client, expectError } from '../scim-client.ts';
import { createGroup, groupIn, valuesOf } from './group-client.ts';

describe('A member whose document is damaged', () => {
  it('is returned without its name, among the others with their names', async () => {
    const users = [1, 2, 3].map((at) => Stored.of(aUser({ displayName: `User ${at}` })));
    const damaged = users[0] ?? expect.fail();
    // The store makes keys of the value, which is parsed before, and keeps the text.
    expect(damaged.value.displayName).to.equal('User 1');
    Object.assign(damaged, { text: damaged.text.slice(0, -1) });
    const store = memoryStore();
    await store.commit(
      users.map((next) => ({ kind: 'user', id: next.id, op: 'create', next })),
      tester,
    );
    const service = await startService({}, store);
    const ask = client(service);
    expectError(await ask(`/Users/${damaged.id}`), 500);
    const { id: group } = await createGroup(ask, { members: valuesOf(users.map(({ id }) => id)) });
    const { members } = groupIn(await ask(`/Groups/${group}`));
    await service.close();
    expect(members).to.have.lengthOf(3);
    for (const { value, display } of members ?? []) {
      const user = users.find(({ id }) => id === value);
      expect(display).to.equal(user === damaged ? undefined : user?.value.displayName);
    }
  });
});
