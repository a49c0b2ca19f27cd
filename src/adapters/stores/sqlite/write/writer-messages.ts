/** The messages between the main thread and the writer. Plain values: an error would lose its class on the way. */

import type { Kind } from '../../../../domain/kinds/kind.ts';
import type { KindsSource } from '../../../../domain/kinds.ts';
import type { Actor, MembersChange, Outcome, Write } from '../../../../domain/store.ts';
import { DomainError, idTaken, type KindName, UnknownMembers } from '../../../../domain/validation/errors.ts';
import type { LogWrite } from '../changes/log.ts';
import { staleCode } from '../file/file-watch.ts';

/** A write of one resource, with its text in the place of a value. */
export type RowWrite = {
  readonly kind: KindName;
  readonly id: string;
  /** The actor, as JSON: the log keeps it so. */
  readonly by: string;
  readonly members?: MembersChange | undefined;
} & (
  | { readonly op: 'create'; readonly text: string; readonly revision?: number | undefined }
  | ({ readonly op: 'replace'; readonly text: string } & Expected)
  | ({ readonly op: 'remove'; readonly erase?: boolean | undefined } & Expected)
  | ({ readonly op: 'members' } & Expected)
);

/** What must still be stored. Left out: any. */
interface Expected {
  readonly version?: string | undefined;
  readonly revision?: number | undefined;
}

/**
 * `sweep` removes some rows of what is dropped: `stale` when there are none. `prune` removes some entries of the change log: `stale` when there are
 * no more to remove. `erase` ends the values of a resource that is gone: `stale` when the log has none. `merge` is a step that drops the words of removed resources: `stale` when all are dropped. `settle` notes that nothing is left of
 * what was erased before the first `merge`.
 */
export type WriterWrite =
  | RowWrite
  | LogWrite
  | { readonly op: 'sweep' }
  | { readonly op: 'merge'; readonly isFirst: boolean }
  | { readonly op: 'settle' };

export const printActor = (by: Actor): string => JSON.stringify(by);

/** @param by of `printActor` */
export function messageOf(write: Write, by: string): RowWrite {
  const of = { kind: write.kind, id: write.id, by };
  switch (write.op) {
    case 'create': {
      const members = write.members && { add: write.members, remove: [] };
      const { text, membership } = write.next;
      return { ...of, op: 'create', text, members, revision: membership?.revision };
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
  /** 0 for a write of the writer's own, which has no answer. */
  readonly number: number;
  readonly write: WriterWrite;
}

export type Request =
  | { readonly kind: 'writes'; readonly writes: readonly NumberedWrite[] }
  /** The last one: what came before it is finished first. */
  | { readonly kind: 'close' };

export type WriteResult =
  | 'done'
  /** It has another version or is gone. */
  | 'stale'
  | 'id-taken'
  | 'name-taken'
  /** Positions of ids that belong to no user, in the list of members to add. */
  | { readonly unknown: readonly number[] }
  /** Nothing was changed. */
  | 'unavailable'
  | 'outcome-unknown'
  /** A fault in the program, in this write alone: it changed nothing, and the others are not affected. */
  | 'fault';

/** As the writer had it, whose errors come as texts. */
export const causeOf = ({ reason, stale }: Pick<Committed, 'reason' | 'stale'>): Error =>
  Object.assign(new Error(reason), stale ? { code: staleCode } : {});

export function toOutcome(result: Exclude<WriteResult, 'fault'>, kind: Kind, cause: unknown): Outcome {
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

/** Of a `LogWrite`. */
export function toLogOutcome(result: WriteResult, cause: unknown): boolean | DomainError {
  if (result === 'done' || result === 'stale') return result === 'done';
  return failureOf(result === 'outcome-unknown' ? result : 'unavailable', cause);
}

export interface Answer {
  readonly number: number;
  readonly result: WriteResult;
}

interface Committed {
  readonly kind: 'committed';
  /** Of one transaction; none after a storage fault outside of any write. */
  readonly answers: readonly Answer[];
  /** Why some of them failed. */
  readonly reason?: string | undefined;
  /** The writer has ended: it no longer knows what the file holds. */
  readonly fatal: boolean;
  /** When it has ended: the number of the last write that it has begun. */
  readonly begun?: number;
  /** The file is no longer where it was. */
  readonly stale?: boolean | undefined;
  /** Another connection has written since the transaction before. */
  readonly othersWrote?: boolean | undefined;
}

export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly reason: string }
  | Committed
  /** A line for the log, about trouble that the writer survives. */
  | { readonly kind: 'problem'; readonly message: string }
  /** A line for the log, about what is in order. */
  | { readonly kind: 'progress'; readonly message: string };

/** Writes in one message, and about as many in one transaction. More would save next to nothing of the commit, and the first would wait longer. */
export const maxBatch = 256;

export interface WriterData {
  readonly file: string;
  /** Whether the file has a change log from now on. */
  readonly isLogged: boolean;
  readonly kinds: KindsSource;
  /** In milliseconds. */
  readonly busyTimeout: number;
  /** As of `ConnectionOptions`. */
  readonly cache?: number | undefined;
}
