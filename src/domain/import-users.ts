/** Takes users from elsewhere into a store, by the same rules as the API. */
import type { Violation } from './errors.ts';
import type { Clock, Ids, UserStore } from './ports.ts';
import type { Edit } from './users.ts';

/** A user that is to be taken in, not judged yet. */
export interface ImportRow {
  /** The user's members, as they came. */
  readonly value: unknown;
  /** What is wrong with it already. */
  readonly violations: readonly Violation[];
  /** Makes the whole user from the one who is there. Left out: `value` is the whole user. */
  readonly edit?: Edit;
}

/** What tells that a row and a user are the same one. */
export const matchMembers = ['id', 'userName', 'externalId'] as const;
export type MatchMember = (typeof matchMembers)[number];

/** `create`: one that is there must be equal; `upsert`: it is changed; `update`: as `upsert`, and one that isn't there is refused. */
export const importModes = ['create', 'upsert', 'update'] as const;
export type ImportMode = (typeof importModes)[number];

export interface ImportOptions<Row extends ImportRow> {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly mode: ImportMode;
  readonly match: MatchMember;
  /** Takes over `created` and `lastModified`; the version is always new. */
  readonly keepMeta: boolean;
  /** Counts what would be done, and changes nothing. */
  readonly dryRun: boolean;
  /** Ends the run when so many have been refused; what was taken in until then stays. */
  readonly maxRejects?: number | undefined;
  /** In the order of the rows. Nothing was changed for this one. */
  readonly onReject: (row: Row, violations: readonly Violation[]) => void | Promise<void>;
  /** Called after each batch. */
  readonly onProgress?: ((counts: ImportCounts) => void) | undefined;
}

export interface ImportCounts {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly rejected: number;
}

/** One batch of rows after another, each judged while the one before is written; what has been counted is durable. */
export type ImportUsers = <Row extends ImportRow>(
  store: UserStore,
  batches: AsyncIterable<readonly Row[]>,
  options: ImportOptions<Row>,
) => Promise<ImportCounts>;
