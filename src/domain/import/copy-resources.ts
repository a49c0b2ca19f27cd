/**
 * Copies the resources of a kind, or memberships, from one store into another: the resources that one lists are imported into the other with
 * their ids, meta and versions. `copyResources` says how an interrupted copy continues; the history continues in `../changes/copy-log.ts`.
 */
import { matchAll } from '../find/conditions.ts';
import { listAll } from '../list-all.ts';
import type { Resource } from '../resource/resource.ts';
import { Stored } from '../resource/stored.ts';
import type { Store, StoredResource } from '../store.ts';
import { importMemberships } from './import-memberships.ts';
import { countRows, type ImportCounts, type ImportOptions, type ImportRow } from './import-options.ts';
import { importResources } from './import-resources.ts';
import {
  type FileKind,
  isMembershipFile,
  listMemberships,
  type MembershipRow,
  membershipParts,
} from './memberships.ts';

type Batches = AsyncGenerator<readonly StoredResource[]>;

interface CopyRow extends ImportRow {
  readonly source: StoredResource;
}

export interface CopyOptions extends Pick<ImportOptions<CopyRow>, 'clock' | 'ids' | 'by' | 'pause'> {
  readonly kind: FileKind;
  /** Overwrites resources of `to` that have the same id. Each written one then gets a new version, so that no version is reused. */
  readonly force?: boolean;
  /**
   * Called after each batch.
   * @param done resources so far @param waiting how many of them wait for other clients that write the same ones
   */
  readonly onProgress?: (done: number, waiting: number) => void;
}

export interface Copied {
  /** How many resources have the same content in both stores. */
  readonly count: number;
  /** Why resources were not copied, by id, in words for an operator. Ids are the only personal data in it. */
  readonly left: ReadonlyMap<string, string>;
}

/** Ids that are looked up together. */
const idsAtOnce = 100;

/** Has an id, so that memberships can be listed and compared like resources. */
const toResource = (membership: MembershipRow): StoredResource =>
  new Stored(JSON.stringify({ id: `${membership.group}/${membership.user}`, ...membership }));

const toMembership = ({ id: _, ...membership }: Resource): object => membership;

/** All resources of the kind, or all memberships, in the order of ids. The id of a membership joins the ids of its group and user. */
export async function* listCopied(kind: FileKind, store: Store): Batches {
  const listed = isMembershipFile(kind) ? membershipParts.group : kind;
  const all = listAll(store, listed.name, { where: matchAll });
  if (!isMembershipFile(kind)) return yield* all;
  for await (const batch of listMemberships(store, all)) yield batch.map(toResource);
}

async function* findEach({ kind }: CopyOptions, store: Store, ids: readonly string[]): Batches {
  for (let at = 0; at < ids.length; at += idsAtOnce)
    yield [...(await store.findAll(kind.name, ids.slice(at, at + idsAtOnce))).values()];
}

async function* rowsOf(batches: Batches, kind: FileKind): AsyncGenerator<readonly CopyRow[]> {
  const toValue = ({ value }: StoredResource) => (isMembershipFile(kind) ? toMembership(value) : value);
  for await (const batch of batches)
    yield batch.map((source) => ({ source, value: toValue(source), text: source.text, violations: [] }));
}

/**
 * Copies all resources of the kind, or the memberships of groups and users that were copied before. A copy may be interrupted and run again:
 * resources that exist in `to` are left unchanged, and reported if they differ or another resource has their name. Resources that exist only in
 * `to` stay; `findDifferences` finds them.
 * @throws DomainError as the stores do
 */
export async function copyResources(from: Store, to: Store, options: CopyOptions): Promise<Copied> {
  const { kind, force = false } = options;
  const left = new Map<string, string>();
  let done = 0;
  const take = (batches: Batches, isFirst: boolean): Promise<ImportCounts> => {
    const reports = {
      by: options.by,
      onReject({ source: { id } }, violations) {
        left.set(id, violations.map(({ detail }) => detail).join('; '));
      },
      onProgress(counts, waiting) {
        if (isFirst) done = countRows(counts);
        options.onProgress?.(done, waiting);
      },
    } satisfies Partial<ImportOptions<CopyRow>>;
    const rows = rowsOf(batches, kind);
    if (isMembershipFile(kind)) return importMemberships(to, rows, { ...reports, form: 'id' });
    const rules = { kind, mode: force ? 'upsert' : 'create', match: 'id', keepMeta: false } as const;
    return importResources(to, rows, { ...options, ...reports, ...rules });
  };
  done = countRows(await take(listCopied(kind, from), true));
  // A name may be free once its holder has been overwritten.
  const mayChange = force && !isMembershipFile(kind);
  for (let before = Number.POSITIVE_INFINITY; mayChange && left.size < before; ) {
    before = left.size;
    const ids = [...left.keys()];
    left.clear();
    await take(findEach(options, from, ids), false);
  }
  return { count: done - left.size, left };
}
