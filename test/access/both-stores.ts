/** The content of a store as a whole, and how it is made equal to another content. */
import { matchAll } from '../../src/domain/find/conditions.ts';
import type { Resource } from '../../src/domain/resource/resource.ts';
import { noMembers, Stored } from '../../src/domain/resource/stored.ts';
import type { Store, StoredResource, Write } from '../../src/domain/store.ts';
import type { Directory } from './directories.ts';
import type { Document, Plural } from './profile-model.ts';

type ById<T> = ReadonlyMap<string, T>;

export interface Content {
  readonly users: ById<Document>;
  readonly groups: ById<Document>;
  /** By id of the group. */
  readonly members: ById<ReadonlySet<string>>;
}

export const kindNames = { users: 'user', groups: 'group' } as const;
const plurals: readonly Plural[] = ['users', 'groups'];
const most = 1000;

export async function readContent(store: Store): Promise<Content> {
  const [users, groups] = await Promise.all(
    plurals.map(async (plural) => {
      const { items } = await store.page(kindNames[plural], { where: matchAll, limit: most });
      return new Map(items.map((stored) => [stored.id, stored.copy() as unknown as Document]));
    }),
  );
  const ids = [...(groups?.keys() ?? [])];
  const related = await store.related('group', ids, most);
  const members = new Map(ids.map((id) => [id, new Set(related.get(id))]));
  return { users: users ?? new Map(), groups: groups ?? new Map(), members };
}

export const contentOf = ({ users, groups, members }: Directory): Content => ({
  users: new Map(users.map((user) => [String(user.id), user])),
  groups: new Map(groups.map((group) => [String(group.id), group])),
  members: new Map(groups.map((group, at) => [String(group.id), new Set(members[at])])),
});

const storedOf = (document: Document, before?: StoredResource, plural?: Plural): StoredResource =>
  Stored.of(
    document as unknown as Resource,
    before?.membership ?? (plural === 'groups' ? noMembers : undefined),
  );

/** A map's entries are in any order. */
const printed = (document: object): string =>
  JSON.stringify(document, (name, value: object) =>
    name === 'attributes' ? Object.fromEntries(Object.entries(value).sort()) : value,
  );

const isSame = (one: object, other: object): boolean => printed(one) === printed(other);

async function writesOf(store: Store, plural: Plural, wanted: ById<Document>): Promise<readonly Write[]> {
  const kind = kindNames[plural];
  const { items } = await store.page(kind, { where: matchAll, limit: most });
  const before = new Map(items.map((stored) => [stored.id, stored]));
  const gone = items.filter(({ id }) => !wanted.has(id));
  return [
    ...gone.map((stored) => ({ kind, id: stored.id, op: 'remove' as const, before: stored })),
    ...[...wanted].flatMap(([id, document]): Write[] => {
      const old = before.get(id);
      const next = storedOf(document, old, plural);
      if (old === undefined) return [{ kind, id, op: 'create', next }];
      return isSame(old.value, document) ? [] : [{ kind, id, op: 'replace', before: old, next }];
    }),
  ];
}

const difference = (one: ReadonlySet<string> | undefined, other: ReadonlySet<string> | undefined): string[] =>
  [...(one ?? [])].filter((id) => !other?.has(id));

/** Names may go from one resource to another, so that those with a wrong name are taken away first. */
async function commit(store: Store, writes: readonly Write[]): Promise<void> {
  if (writes.length === 0) return;
  const outcomes = await store.commit(writes, { client: 'operator', via: 'users' });
  const failed = outcomes.find((outcome) => outcome !== 'done');
  if (failed !== undefined) throw new Error(`a store can't be made equal: ${String(failed)}`);
}

/** @returns whether something was changed */
export async function makeEqual(store: Store, wanted: Content): Promise<boolean> {
  let isChanged = false;
  for (const plural of plurals) {
    const writes = await writesOf(store, plural, wanted[plural]);
    isChanged ||= writes.length > 0;
    const replaced = writes.filter(({ op }) => op === 'replace');
    await commit(
      store,
      writes.filter(({ op }) => op === 'remove'),
    );
    if (replaced.length > 1) {
      const removed = replaced.flatMap((write) =>
        write.op === 'replace'
          ? [{ kind: write.kind, id: write.id, op: 'remove' as const, before: write.before }]
          : [],
      );
      await commit(store, removed);
      return (await makeEqual(store, wanted)) || true;
    }
    for (const next of ['replace', 'create'] as const)
      await commit(
        store,
        writes.filter(({ op }) => op === next),
      );
  }
  const { members } = await readContent(store);
  for (const [id, of] of wanted.members) {
    const change = { add: difference(of, members.get(id)), remove: difference(members.get(id), of) };
    if (change.add.length + change.remove.length === 0) continue;
    isChanged = true;
    await commit(store, [{ kind: 'group', id, op: 'members', change }]);
  }
  return isChanged;
}
