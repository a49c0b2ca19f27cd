/** Directories with groups, exported and imported without a process. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { FileFormat } from '../../src/adapters/formats/port/file-format.ts';
import { messageOf } from '../../src/adapters/system/errors.ts';
import { codecOf } from '../../src/commands/file-options.ts';
import { type ExportOptions, exportResources } from '../../src/commands/files/export-resources.ts';
import { type ImportWishes, takeResources } from '../../src/commands/files/take-resources.ts';
import { openTarget } from '../../src/commands/files/target.ts';
import { matchAll } from '../../src/domain/find/conditions.ts';
import type { ImportCounts } from '../../src/domain/import/import-options.ts';
import { type FileKind, membershipFile } from '../../src/domain/import/memberships.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import type { Store, StoredResource } from '../../src/domain/store.ts';
import { aGroup } from '../support/a-group.ts';
import { aUser } from '../support/a-user.ts';
import { kinds } from '../support/kinds.ts';
import { tester } from '../support/store-verbs.ts';

export const fileKinds: readonly FileKind[] = [...kinds.all, membershipFile];

const signal = new AbortController().signal;

export async function exportTo(
  path: string,
  store: Store,
  kind: FileKind,
  format: FileFormat,
  more: Partial<ExportOptions> = {},
): Promise<number> {
  const target = openTarget(path);
  const written = await exportResources(store, target, {
    ...{ kind, codec: codecOf(kind, format), signal, ...more },
    selection: { conditions: { where: matchAll }, sort: {} },
    onProgress: () => {},
    onDamaged: (id) => expect.fail(id),
  });
  await target.finish();
  return written;
}

interface Imported extends ImportCounts {
  readonly failure: string | undefined;
}

export async function importFrom(
  path: string,
  store: Store,
  kind: FileKind,
  format: FileFormat,
  wishes: Partial<ImportWishes> = {},
): Promise<Imported> {
  const { counts, failure } = await takeResources(
    { path, kind, codec: codecOf(kind, format), ...wishes },
    {
      signal,
      onFatal: (error) => expect.fail(String(error)),
      assertForeign: async () => {},
      openStore: async () => store,
    },
  );
  return { ...counts, failure: failure === undefined ? undefined : messageOf(failure) };
}

/** Imports a file with this text. */
export async function importText(
  folder: string,
  text: string,
  store: Store,
  format: FileFormat,
  wishes: Partial<ImportWishes> = {},
): Promise<Imported> {
  const path = join(folder, `given.${format.name}`);
  writeFileSync(path, text);
  return await importFrom(path, store, membershipFile, format, wishes);
}

export const counts = (created: number, unchanged: number, rejected: number): Imported => ({
  ...{ created, changed: 0, unchanged, rejected },
  failure: undefined,
});

async function create(store: Store, kind: string, next: StoredResource, members?: readonly string[]) {
  const [outcome] = await store.commit([{ kind, id: next.id, op: 'create', next, members }], tester);
  expect(outcome).to.equal('done');
}

/** Users `u0` and so on, and groups `g0` and so on: each user is in the group of each number that divides its own. */
export async function fillDirectory(store: Store, users: number, groups: number): Promise<void> {
  const ids: string[] = [];
  for (let at = 0; at < users; at += 1) {
    const user = Stored.of(aUser({ userName: `u${at}` }));
    await create(store, 'user', user);
    ids.push(user.id);
  }
  for (let at = 0; at < groups; at += 1)
    await create(
      store,
      'group',
      aGroup({ displayName: `Größe, "${at}"`, description: 'x' }),
      ids.filter((_, user) => user % (at + 1) === 0),
    );
}

/** What a directory says: members by the names of their group. */
export interface Contents {
  readonly groups: Readonly<Record<string, { readonly members: readonly string[] }>>;
  readonly users: readonly object[];
}

export async function contentsOf(store: Store): Promise<Contents> {
  const list = async (kind: string, where: Parameters<Store['page']>[1]['where']) =>
    (await store.page(kind, { where, limit: 1000 })).items;
  const groups: Record<string, { readonly members: readonly string[] }> = {};
  for (const group of await list('group', matchAll)) {
    const members = await list('user', { filter: 'group', key: group.id });
    const { meta: _, ...value } = group.value as never as { meta: object; displayName: string };
    expect(group.membership?.memberCount).to.equal(members.length);
    groups[value.displayName] = { ...value, members: members.map(({ id }) => id).sort() };
  }
  const users = await list('user', matchAll);
  return { groups, users: users.map(({ value: { meta: _, ...user } }) => user) };
}
