/** A store in the words of tests: a method for each kind of write, and lists that are read forwards or backwards. */

import type { Resource } from '../../src/domain/resource/resource.ts';
import type {
  Actor,
  MembersChange,
  Outcome,
  PageQuery,
  Store,
  StoredResource,
  Write,
} from '../../src/domain/store.ts';
import type {
  Conditions,
  Count,
  GroupStore,
  Query,
  ResourceStore,
  UserStore,
  UserWrite,
  WriteOutcome,
} from './verbs.ts';

/** Takes the `Stored.version` of a resource with members apart. */
function versionAndRevision(version: string): readonly [version: string, revision: number] {
  const at = version.lastIndexOf('.');
  return [version.slice(0, at), Number(version.slice(at + 1))];
}

export const tester: Actor = { client: 'tester', via: 'test' };

/** @throws the error of a write that was refused @returns false for one that is stale */
async function committed(store: Store, write: Write): Promise<boolean> {
  const [outcome] = await store.commit([write], tester);
  if (outcome instanceof Error) throw outcome;
  return outcome === 'done';
}

/** What a write names as stored: only the version counts. */
function before(id: string, version: string): StoredResource {
  const meta = { created: '', lastModified: '', version };
  return { id, version, meta, membership: undefined, text: '', value: { id, meta } } as never;
}

const namesOf = (version: string | undefined, hasMembers: boolean) => {
  if (version === undefined) return { version: undefined, revision: undefined };
  if (!hasMembers || !version.includes('.')) return { version, revision: undefined };
  const [own, revision] = versionAndRevision(version);
  return { version: own, revision };
};

function conditionsOf({ where, client, hasLeft, view }: Conditions): PageQuery {
  return { where, client, hasLeft, list: view, limit: 0 };
}

class Verbs implements ResourceStore<Resource> {
  protected readonly store: Store;
  readonly #kind: string;
  readonly #hasMembers: boolean;

  constructor(store: Store, kind: string, hasMembers: boolean) {
    this.store = store;
    this.#kind = kind;
    this.#hasMembers = hasMembers;
  }

  find = (id: string): Promise<StoredResource | undefined> => this.store.find(this.#kind, id);
  findAll = (ids: readonly string[], client?: string) => this.store.findAll(this.#kind, ids, client);
  findAllBy = (filter: string, keys: readonly string[], limit: number) =>
    this.store.findAllBy(this.#kind, filter, keys, limit);

  related = (ids: readonly string[], limit: number) => this.store.related(this.#kind, ids, limit);

  list = async ({ backward = false, after, list, view, ...query }: Query): Promise<StoredResource[]> => {
    const place = backward ? { before: after ?? ('end' as const) } : { after };
    const handle = view ?? list;
    const { items } = await this.store.page(this.#kind, { ...query, ...place, list: handle });
    return backward ? items.toReversed() : [...items];
  };

  count = async (conditions: Count): Promise<number> => {
    const { most } = conditions;
    const total = most === undefined ? ('exact' as const) : { most };
    const page = await this.store.page(this.#kind, { ...conditionsOf(conditions), total });
    return page.total ?? Number.NaN;
  };

  insert = async (next: StoredResource, members?: readonly string[]): Promise<void> => {
    await committed(this.store, { kind: this.#kind, id: next.id, op: 'create', next, members });
  };

  replace = (next: StoredResource, given: string, members?: MembersChange): Promise<boolean> => {
    const { version = '', revision } = namesOf(given, this.#hasMembers);
    const { id } = next;
    const write = { kind: this.#kind, id, op: 'replace', next, members, revision } as const;
    return committed(this.store, { ...write, before: before(id, version) });
  };

  remove = (id: string, given: string): Promise<boolean> => {
    const { version = '', revision } = namesOf(given, this.#hasMembers);
    return committed(this.store, {
      kind: this.#kind,
      id,
      op: 'remove',
      before: before(id, version),
      revision,
    });
  };

  changeMembers = (id: string, change: MembersChange, given?: string): Promise<boolean> =>
    committed(this.store, {
      kind: this.#kind,
      id,
      op: 'members',
      change,
      ...namesOf(given, this.#hasMembers),
    });
}

/** @param writes with a version as `replace`, without one as `insert` */
async function writeAll(store: Store, writes: readonly UserWrite[]): Promise<readonly WriteOutcome[]> {
  const all = writes.map(({ user: next, version }): Write => {
    const { id } = next;
    if (version === undefined) return { kind: 'user', id, op: 'create', next };
    return { kind: 'user', id, op: 'replace', before: before(id, version), next };
  });
  return (await store.commit(all, tester)) as readonly Outcome[];
}

export function verbsOf(store: Store): UserStore {
  const groups = new Verbs(store, 'group', true) as unknown as GroupStore;
  const users = new Verbs(store, 'user', false) as unknown as Omit<UserStore, 'groups' | 'writeAll'>;
  return Object.assign(users, {
    groups,
    writeAll: (writes: readonly UserWrite[]) => writeAll(store, writes),
    check: () => store.check(),
    close: () => store.close(),
    ...(store.changes && { changes: store.changes }),
    ...('readings' in store && { readings: store.readings }),
  });
}
