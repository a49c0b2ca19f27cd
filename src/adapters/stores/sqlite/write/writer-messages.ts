/** The messages between the main thread and the writer. They are plain values, because an error would lose its class on the way. */

import type { Inside } from '../../../../domain/changes/change.ts';
import type { FilterName } from '../../../../domain/find/filters.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import type { KindsSource } from '../../../../domain/kinds.ts';
import type { Actor, MembersChange, Outcome, Write } from '../../../../domain/store.ts';
import { DomainError, idTaken, type KindName, UnknownMembers } from '../../../../domain/validation/errors.ts';
import type { LogWrite } from '../changes/log.ts';
import { staleCode } from '../file/database-files.ts';

/** A write of one resource, with its text instead of its value. */
export type ResourceWrite = {
  readonly kind: KindName;
  readonly id: string;
  /** The actor as JSON, the form in which the log keeps it. */
  readonly by: string;
  readonly members?: MembersChange | undefined;
  readonly inside?: Inside | undefined;
} & (
  | {
      readonly op: 'create';
      readonly text: string;
      readonly revision?: number | undefined;
      readonly restored?: readonly string[] | undefined;
    }
  | ({ readonly op: 'replace'; readonly text: string } & Expected)
  | ({ readonly op: 'remove'; readonly erase?: boolean | undefined } & Expected)
  | ({ readonly op: 'members' } & Expected)
);

/** The state that must still be stored; any, if left out. */
interface Expected {
  readonly version?: string | undefined;
  readonly revision?: number | undefined;
}

/**
 * Maintenance goes in steps, each a write. A step that leaves nothing to do is `stale`.
 * - `sweep` removes rows of dropped sets of members, and entries of earlier lines of the change log; `prune`, outdated entries.
 * - `erase` removes the values of a deleted resource from the change log; it is `stale` if the log has none.
 * - `merge` drops the words of removed resources. `settle` notes that erasures before the first `merge` are complete.
 * - `build` makes keys for declared indexes.
 */
export type WriterWrite =
  | ResourceWrite
  | LogWrite
  | { readonly op: 'sweep' }
  | { readonly op: 'merge'; readonly isFirst: boolean }
  | { readonly op: 'settle' }
  | { readonly op: 'build' };

export const printActor = (by: Actor): string => JSON.stringify(by);

/** @param by of `printActor` */
export function writeMessageOf(write: Write, by: string): ResourceWrite {
  const of = { kind: write.kind, id: write.id, by, inside: write.inside };
  switch (write.op) {
    case 'create': {
      const members = write.members && { add: write.members, remove: [] };
      const { restored, next } = write;
      return { ...of, op: 'create', text: next.text, members, revision: next.membership?.revision, restored };
    }
    case 'replace': {
      const { next, before, members, revision } = write;
      return { ...of, op: 'replace', text: next.text, version: before.meta.version, members, revision };
    }
    case 'remove': {
      const { before, revision, erase } = write;
      return { ...of, op: 'remove', version: before.meta.version, revision, erase };
    }
    case 'members': {
      const { change: members, version, revision } = write;
      return { ...of, op: 'members', members, version, revision };
    }
  }
}

export interface NumberedWrite {
  /** 0 for the writer's own writes, which have no answer. */
  readonly number: number;
  readonly write: WriterWrite;
}

export type WriterRequest =
  | { readonly kind: 'writes'; readonly writes: readonly NumberedWrite[] }
  /** The last request. Earlier ones are finished first. */
  | { readonly kind: 'close' };

export type WriteResult =
  | 'done'
  /** It has another version, or no longer exists. */
  | 'stale'
  | 'id-taken'
  | 'name-taken'
  /** A key of this unique filter. */
  | { readonly taken: FilterName }
  /** Positions of unknown ids in the list of members to add. */
  | { readonly unknown: readonly number[] }
  /** Nothing was changed. */
  | 'unavailable'
  | 'outcome-unknown'
  /** A fault of the program in this write alone. It changed nothing, and other writes are not affected. */
  | 'fault';

/** The error that the writer had, sent as a text. */
export const causeOf = ({ reason, stale }: Pick<CommitReport, 'reason' | 'stale'>): Error =>
  Object.assign(new Error(reason), stale ? { code: staleCode } : {});

export function toOutcome(result: Exclude<WriteResult, 'fault'>, kind: Kind, cause: unknown): Outcome {
  if (typeof result === 'object' && 'taken' in result) return kind.keyTaken(result.taken);
  if (typeof result === 'object') return new UnknownMembers('add', result.unknown);
  switch (result) {
    case 'done':
    case 'stale':
      return result;
    case 'id-taken':
      return idTaken(kind.name);
    case 'name-taken':
      return kind.nameTaken();
    case 'unavailable':
    case 'outcome-unknown':
      return failureOf(result, cause);
  }
}

const failureOf = (result: 'unavailable' | 'outcome-unknown', cause: unknown): DomainError =>
  result === 'unavailable'
    ? new DomainError(result, 'The write was not done.', { cause })
    : new DomainError(result, 'The write was begun and its end is not known.', { cause });

/** For a `LogWrite`. */
export function toLogOutcome(result: WriteResult, cause: unknown): boolean | DomainError {
  if (result === 'done' || result === 'stale') return result === 'done';
  return failureOf(result === 'outcome-unknown' ? result : 'unavailable', cause);
}

export interface WriteAnswer {
  readonly number: number;
  readonly result: WriteResult;
}

interface CommitReport {
  readonly kind: 'committed';
  /** The answers of one transaction; none after a storage fault outside of any write. */
  readonly answers: readonly WriteAnswer[];
  /** Why some of them failed. */
  readonly reason?: string | undefined;
  /** The writer has ended: it no longer knows what the file holds. */
  readonly fatal: boolean;
  /** If the writer has ended: the number of the last write that it began. */
  readonly begun?: number;
  /** The file is no longer where it was. */
  readonly stale?: boolean | undefined;
  /** Another connection has written since the previous transaction. */
  readonly othersWrote?: boolean | undefined;
}

export type WriterReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly reason: string }
  | CommitReport
  /** A line for the log about a problem that the writer survives. */
  | { readonly kind: 'problem'; readonly message: string }
  /** A line for the log about normal operation. */
  | { readonly kind: 'progress'; readonly message: string };

/**
 * The maximum number of writes in a message, and about the number in a transaction. More would save next to nothing for each write, and delay the
 * first one.
 */
export const maxBatch = 256;

export interface WriterData {
  readonly file: string;
  /** Whether the file has a change log from now on. */
  readonly isLogged: boolean | 'kept';
  /** See `StoreHooks.mayFill`. */
  readonly mayFill?: boolean | undefined;
  readonly kinds: KindsSource;
  /** A file of an earlier release is migrated; undefined if it is refused before. */
  readonly migration?: { readonly isCopied: boolean } | undefined;
  /** In ms. */
  readonly busyTimeout: number;
  /** See `StoreHooks.buildSteps`. */
  readonly buildSteps?: Int32Array | undefined;
  /** As in `ConnectionOptions`. */
  readonly cache?: number | undefined;
}
