/** The input and output of an import: rows, rules and counts. */

import type { Kind } from '../kinds/kind.ts';
import type { Clock, Ids } from '../ports.ts';
import type { Resource } from '../resource/resource.ts';
import type { Actor, Store, StoredResource } from '../store.ts';
import type { Edit } from '../use-cases/resource-writes.ts';
import type { Violation } from '../validation/errors.ts';

/** A resource to import, not planned yet. */
export interface ImportRow {
  /** The resource's members, as read. */
  readonly value: unknown;
  /** The source text, if any: large rows make smaller batches. */
  readonly text?: string | undefined;
  /** Mistakes that the reader found. */
  readonly violations: readonly Violation[];
  /** Makes the whole resource from the stored one. Left out: `value` is the whole resource. */
  readonly edit?: Edit<Resource> | undefined;
  /** Names of users in the place of ids. `resolve` makes the row with ids, or with mistakes where a name has none. */
  readonly named?:
    | { readonly names: readonly string[]; resolve(ids: ReadonlyMap<string, string>): ImportRow }
    | undefined;
  /** In a copy: the resource to write unchanged; with `upsert` it gets a new version. It is matched by its id. */
  readonly source?: StoredResource;
}

/**
 * The member that matches a row with a stored resource: `id`, the kind's unique name, or `externalId`. A row without an id is matched by
 * its name, so that a repeated import finds it again. With `externalId`, a row without an externalId is refused.
 */
export type MatchMember = string;

export const matchMembersOf = ({ unique, filters }: Kind): readonly MatchMember[] => [
  'id',
  unique.member,
  ...('externalId' in filters ? ['externalId'] : []),
];

/** `create`: a row must equal its stored resource, if there is one; `upsert`: it changes the resource; `update`: it must have one to change. */
export const importModes = ['create', 'upsert', 'update'] as const;
export type ImportMode = (typeof importModes)[number];

/** How rows are planned. */
export interface ImportRules {
  readonly kind: Kind;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly mode: ImportMode;
  readonly match: MatchMember;
  /** Keeps `created` and `lastModified` of rows that have them; the version is always new. */
  readonly keepMeta: boolean;
  /** Names the earlier row of the same import that wrote this key or found it unchanged, if it is known. @param token of the key */
  readonly findWriter?: ((token: string) => string | undefined) | undefined;
}

export interface ImportOptions<Row extends ImportRow> extends Omit<ImportRules, 'findWriter'> {
  /** Names a row for messages about another: `row 2`. */
  readonly nameRow?: ((row: Row) => string) | undefined;
  readonly by: Actor;
  /** Ends the run after this many rejects. Imported rows stay, including rows after one that waited. */
  readonly maxRejects?: number | undefined;
  /** Called in the order of the rows, except for rows that waited for other clients. A rejected row changes nothing. */
  readonly onReject: (row: Row, violations: readonly Violation[]) => void | Promise<void>;
  /**
   * Called after each batch, and before an error is thrown. Counted rows are durable.
   * @param waiting how many rows wait for other clients that write the same resources
   */
  readonly onProgress?: ((counts: ImportCounts, waiting: number) => void) | undefined;
  /** Waits while other clients write the same resources. Throws to end the run. Default: no wait. */
  readonly pause?: ((milliseconds: number) => Promise<void>) | undefined;
}

export interface ImportCounts {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly rejected: number;
}

export const countRows = ({ created, changed, unchanged, rejected }: ImportCounts): number =>
  created + changed + unchanged + rejected;

/** The part of a store that an import needs. A dry run passes a `DryRun` of it. */
export type ImportTarget = Pick<Store, 'findAll' | 'findAllBy' | 'commit'>;
