import { expect } from 'chai';
import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { scopes } from '../../../../src/domain/scopes.ts';
import { aGroup } from '../../../support/a-group.ts';
import { aUser } from '../../../support/a-user.ts';
import { until } from '../../../support/deadlines.ts';
import { aToken, startService, type TestService } from '../../../support/service.ts';
import { tester } from '../../../support/store-verbs.ts';
import { overridden } from '../../../support/stores.ts';
import { patchOf } from '../scim/scim-client.ts';

describe('Large changes of members', () => {
  const group = aGroup();
  const users = Array.from({ length: 50 }, () => aUser());
  /** Changes of the client `greedy` that have begun and not ended, and the most of them at a time. */
  let [running, most] = [0, 0];
  let begun: PromiseWithResolvers<void>;
  let released: PromiseWithResolvers<void>;
  let service: TestService;

  beforeEach(async () => {
    const port = memoryStore();
    await port.commit(
      users.map((user) => ({ kind: 'user', id: user.id, op: 'create', next: Stored.of(user) })),
      tester,
    );
    await port.commit([{ kind: 'group', id: group.id, op: 'create', next: group }], tester);
    [running, most] = [0, 0];
    [begun, released] = [Promise.withResolvers(), Promise.withResolvers()];
    const store = overridden(port, {
      async commit(writes, by) {
        if (by.client !== 'greedy') return port.commit(writes, by);
        running += 1;
        most = Math.max(most, running);
        begun.resolve();
        await released.promise;
        running -= 1;
        return port.commit(writes, by);
      },
    });
    service = await startService({}, store);
  });
  afterEach(() => service.close());

  const send = async (client: string, method: string, path: string, type: string, body: object) => {
    const authorization = `Bearer ${await aToken(scopes, '1h', client)}`;
    const headers = { authorization, 'content-type': type };
    return service.send(path, { method, headers, body: JSON.stringify(body) });
  };

  it('from one client run one at a time through all APIs, without delaying other clients', async () => {
    const ids = users.map(({ id }) => id);
    const change = (client: string) =>
      send(client, 'POST', `/groups/${group.id}/members`, 'application/json', { add: ids });
    const patch = (client: string) =>
      send(
        ...([client, 'PATCH', `/scim/v2/Groups/${group.id}`, 'application/scim+json'] as const),
        patchOf({ op: 'add', path: 'members', value: ids }),
      );
    const first = change('greedy');
    await begun.promise;
    const second = patch('greedy');
    for (let times = 0; times < 3; times += 1) expect((await patch('other')).status).to.equal(204);
    released.resolve();
    expect([(await first).status, (await second).status, most]).to.deep.equal([204, 204, 1]);
  });

  it('wait for each other, but changes of one member run at once through all APIs', async () => {
    const [member = ''] = users.map(({ id }) => id);
    const changes = [
      send('greedy', 'POST', `/groups/${group.id}/members`, 'application/json', { add: [member] }),
      send('greedy', 'POST', `/groups/${group.id}/members`, 'application/json', { remove: [member] }),
      send(
        ...(['greedy', 'PATCH', `/scim/v2/Groups/${group.id}`, 'application/scim+json'] as const),
        patchOf({ op: 'add', path: 'members', value: [member] }),
      ),
    ];
    await until('all of them run', () => running === changes.length);
    released.resolve();
    for (const answer of await Promise.all(changes)) expect(answer.status).to.equal(204);
  });
});
