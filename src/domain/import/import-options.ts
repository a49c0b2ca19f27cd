/** What an import takes and tells: its rows, its rules and its counts. */

import type { Kind } from '../kinds/kind.ts';
import type { Clock, Ids } from '../ports.ts';
import type { Resource } from '../resource/resource.ts';
import type { Edit } from '../resource-writes.ts';
import type { Actor, Store, StoredResource } from '../store.ts';
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
  /** Of a copy: what is written, as it is. With `upsert` it gets a new version. It has `value` and an id, by which it is matched. */
  readonly source?: StoredResource;
}

/**
 * The member that matches a row with a stored resource: `id`, the kind's unique name, or `externalId`. A row without an id is matched by
 * its name, so that a repeated import finds it again; with `externalId`, a row without one is refused.
 */
export type MatchMember = string;

export const matchMembersOf = ({ unique, filters }: Kind): readonly MatchMember[] => [
  'id',
  unique.member,
  ...('externalId' in filters ? ['externalId'] : []),
];

/** `create`: a stored resource must be equal; `upsert`: it is changed; `update`: as `upsert`, and a row without a stored one is refused. */
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
  /** Names the earlier row of the same import that wrote this key, or found it as it should be, as far as it is known. @param token of the key */
  readonly findWriter?: ((token: string) => string | undefined) | undefined;
}

export interface ImportOptions<Row extends ImportRow> extends Omit<ImportRules, 'findWriter'> {
  /** Names a row for messages about another: `row 2`. */
  readonly nameRow?: ((row: Row) => string) | undefined;
  /** Who imports. */
  readonly by: Actor;
  /** Ends the run after this many rejects. Imported rows stay, including rows behind one that had to wait. */
  readonly maxRejects?: number | undefined;
  /** In the order of the rows, except rows that had to wait for other clients. Nothing was changed for this row. */
  readonly onReject: (row: Row, violations: readonly Violation[]) => void | Promise<void>;
  /**
   * Called after each batch, and before an error is thrown: what has been counted is durable.
   * @param waiting how many rows wait for other clients that write the same resources
   */
  readonly onProgress?: ((counts: ImportCounts, waiting: number) => void) | undefined;
  /** Waits while other clients write the same resources. Throws to end the run. Left out: without waiting. */
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

/** The part of a store that an import needs. A dry run passes a `dryRunOf` it. */
export type ImportTarget = Pick<Store, 'findAll' | 'findAllBy' | 'commit'>;
