import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { csv } from '../../src/adapters/formats/csv/csv.ts';
import { exportResources } from '../../src/commands/files/export-resources.ts';
import { openTarget } from '../../src/commands/files/target.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { refused } from '../contract/refusals.ts';
import { aGroup } from '../support/a-group.ts';
import { aUser } from '../support/a-user.ts';
import { parseListQuery, userCodec, userDefinition } from '../support/kinds.ts';
import { aDataFolder, discardProcesses, run } from '../support/process.ts';
import { memoryStore, openSqliteStore, portOf } from '../support/stores.ts';
import type { UserStore } from '../support/verbs.ts';
import { fileIn, fill, insertAll } from './directories.ts';

const group = aGroup();

async function addMembers(store: UserStore, members: readonly User[]): Promise<void> {
  await store.groups.insert(
    group,
    members.map(({ id }) => id),
  );
}

describe('An export of the members of a group', () => {
  afterEach(discardProcesses);

  it('has only the members', async () => {
    const folder = aDataFolder();
    const users = Array.from({ length: 5 }, () => aUser());
    await fill(folder, users);
    const onFatal = (cause: unknown) => expect.fail(String(cause));
    const store = await openSqliteStore({ file: fileIn(folder), onFatal });
    await addMembers(store, users.slice(0, 3));
    await store.close();
    const { log, told } = await run(['export', '--format', 'jsonl', '--where', `group=${group.id}`], folder);
    expect(log.map((line) => JSON.parse(line).id).sort(), told.join()).to.deep.equal(
      users
        .slice(0, 3)
        .map(({ id }) => id)
        .sort(),
    );
  });

  for (const batch of [3, 5])
    it(`makes no file when the group is deleted during the export, also between the two reads of a table (${batch})`, async () => {
      const path = join(aDataFolder(), 'users.csv');
      const store = memoryStore();
      // Four batches in each reading.
      const users = Array.from({ length: 200 }, () => aUser());
      await insertAll(store, users);
      await addMembers(store, users);
      const list = store.list.bind(store);
      let batches = 0;
      store.list = async (query) => {
        batches += 1;
        if (batches === batch) {
          const { version = '' } = (await store.groups.find(group.id)) ?? {};
          await store.groups.remove(group.id, version);
        }
        return list(query);
      };
      const target = openTarget(path);
      try {
        const exported = exportResources(portOf(store), target, {
          kind: userDefinition.kind,
          codec: userCodec(csv),
          selection: parseListQuery(`group=${group.id}`),
          signal: new AbortController().signal,
          onProgress: () => {},
          onDamaged: (id) => expect.fail(id),
        });
        await refused(exported, 'unavailable');
      } finally {
        target.discard();
      }
      expect(existsSync(path)).to.equal(false);
    });
});
