/**
 * Copies the resources of a kind, or memberships, from one store into another: what one lists is imported into the other, with ids, meta and
 * versions.
 */
import { matchAll } from '../find/conditions.ts';
import { resources } from '../resources.ts';
import { scopeOf } from '../scopes.ts';
import type { Store, StoredResource } from '../store.ts';
import { importMemberships } from './import-memberships.ts';
import { countRows, type ImportOptions, type ImportRow } from './import-options.ts';
import { importResources } from './import-resources.ts';
import { listMemberships, type Membership, membershipParts } from './memberships.ts';

type Batches = AsyncIterable<readonly StoredResource[]>;

interface CopyRow extends ImportRow {
  readonly source: StoredResource;
}

export interface CopyOptions extends Pick<ImportOptions<CopyRow>, 'kind' | 'clock' | 'ids' | 'by' | 'pause'> {
  /** Overwrites resources of `to` that have the same id. Each written one then gets a new version, so that no version is reused. */
  readonly force?: boolean;
  /**
   * Called after each batch.
   * @param done resources so far @param waiting how many of them wait for other clients that write the same
   */
  readonly onProgress?: (done: number, waiting: number) => void;
}

export interface Copied {
  /** How many resources have the same content in both stores. */
  readonly count: number;
  /** For an operator, by id: why a resource was not copied. Of personal data only ids. */
  readonly left: ReadonlyMap<string, string>;
}

type Parts = Pick<CopyOptions, 'clock' | 'ids'>;

/** Ids that are looked up at a time. */
const idsAtOnce = 100;

/** All resources of the kind, by id. */
export const listAll = ({ kind, clock, ids }: Parts & Pick<CopyOptions, 'kind'>, store: Store) =>
  resources({ kind, store, clock, ids }).list(
    { id: 'copy', scopes: new Set([scopeOf(kind.name, 'list')]) },
    { where: matchAll },
  );

async function* findEach({ kind }: CopyOptions, store: Store, ids: readonly string[]): Batches {
  for (let at = 0; at < ids.length; at += idsAtOnce)
    yield [...(await store.findAll(kind.name, ids.slice(at, at + idsAtOnce))).values()];
}

async function* rowsOf(batches: Batches): AsyncGenerator<readonly CopyRow[]> {
  for await (const batch of batches)
    yield batch.map((source) => ({ source, value: source.value, text: source.text, violations: [] }));
}

/**
 * Copies all resources of the kind. It may be interrupted and run again: a resource that exists in `to` is left as it is, and reported when
 * it differs or another one has its name. Those that exist only in `to` stay: `findDifferences` finds them.
 * @throws DomainError as the stores do
 */
export async function copyResources(from: Store, to: Store, options: CopyOptions): Promise<Copied> {
  const { force = false, onProgress } = options;
  const left = new Map<string, string>();
  let done = 0;
  const take = (batches: Batches, isFirst: boolean) =>
    importResources(to, rowsOf(batches), {
      ...options,
      ...{ mode: force ? 'upsert' : 'create', match: 'id', keepMeta: false },
      onReject({ source: { id } }, violations) {
        left.set(id, violations.map(({ detail }) => detail).join('; '));
      },
      onProgress(counts, waiting) {
        if (isFirst) done = countRows(counts);
        onProgress?.(done, waiting);
      },
    });
  done = countRows(await take(listAll(options, from), true));
  // A name may be free once its holder has been overwritten.
  for (let before = Number.POSITIVE_INFINITY; force && left.size < before; ) {
    before = left.size;
    const ids = [...left.keys()];
    left.clear();
    await take(findEach(options, from, ids), false);
  }
  return { count: done - left.size, left };
}

/** A membership as an operator is told of it. Sorts as the memberships are listed. */
const membershipId = ({ group, user }: Membership): string => `${group}/${user}`;

async function* membershipsOf(store: Store, parts: Parts) {
  yield* listMemberships(store, listAll({ ...parts, kind: membershipParts.group }, store));
}

/** All memberships, by id of the group and of the user. */
export async function* listMembershipIds(store: Store, parts: Parts) {
  for await (const batch of membershipsOf(store, parts))
    yield batch.map((membership) => ({ id: membershipId(membership) }));
}

/** Copies all memberships, after the groups and users, as `copyResources` does. Those that exist only in `to` stay. */
export async function copyMemberships(
  from: Store,
  to: Store,
  { onProgress, ...options }: Omit<CopyOptions, 'kind' | 'force' | 'pause'>,
): Promise<Copied> {
  const left = new Map<string, string>();
  async function* rows() {
    for await (const batch of membershipsOf(from, options))
      yield batch.map((value) => ({ value, violations: [] }));
  }
  const counts = await importMemberships(to, rows(), {
    ...{ by: options.by, form: 'id' },
    onReject({ value }, violations) {
      left.set(membershipId(value), violations.map(({ detail }) => detail).join('; '));
    },
    onProgress: (now) => onProgress?.(countRows(now), 0),
  });
  return { count: countRows(counts) - left.size, left };
}
