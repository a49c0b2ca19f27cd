/** The messages between the main thread and the writer. Plain values: an error would lose its class on the way. */

import type { KindName } from '../../../../domain/base/errors.ts';
import type { MembersChange } from '../../../../domain/ports.ts';

/** A document is the text of a user or group, which is canonical JSON. `of` is the kind; versions are those of `Stored`. */
export type Write =
  | { readonly kind: 'insert'; readonly of: 'user'; readonly document: string }
  | { readonly kind: 'replace'; readonly of: 'user'; readonly document: string; readonly version: string }
  | { readonly kind: 'remove'; readonly of: KindName; readonly id: string; readonly version: string }
  | GroupWrite
  | { readonly kind: 'mark'; readonly name: string; readonly value: string }
  /** Removes some rows of dropped sets of members: `stale` when there are none. */
  | { readonly kind: 'sweep' };

/** A group's new document, a change of its members, or both. */
export type GroupWrite =
  | {
      readonly kind: 'insert';
      readonly of: 'group';
      readonly document: string;
      readonly members: MembersChange | undefined;
    }
  | {
      readonly kind: 'replace';
      readonly of: 'group';
      readonly id: string;
      /** Left out: it stays. */
      readonly document?: string;
      /** Left out: any. */
      readonly version?: string | undefined;
      readonly members: MembersChange | undefined;
    };

export interface NumberedWrite {
  /** 0 for a write of the writer's own, which has no answer. */
  readonly number: number;
  readonly write: Write;
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

export interface Answer {
  readonly number: number;
  readonly result: WriteResult;
}

export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'committed';
      /** Of one transaction. */
      readonly answers: readonly Answer[];
      /** Why some of them failed. */
      readonly reason?: string | undefined;
      /** The writer has ended: it no longer knows what the file holds. */
      readonly fatal: boolean;
      /** The file is no longer where it was. */
      readonly stale?: boolean | undefined;
      /** Another connection has written since the transaction before. */
      readonly othersWrote?: boolean | undefined;
    }
  /** A storage fault outside of any write. The writer has ended. */
  | { readonly kind: 'failed'; readonly reason: string; readonly stale: boolean }
  /** A line for the log, about trouble that the writer survives. */
  | { readonly kind: 'problem'; readonly message: string }
  /** A line for the log, about what is in order. */
  | { readonly kind: 'progress'; readonly message: string };

/** Writes in one message, and about as many in one transaction. More would save next to nothing of the commit, and the first would wait longer. */
export const maxBatch = 256;

export interface WriterData {
  readonly file: string;
  /** In milliseconds. */
  readonly busyTimeout: number;
  /** As of `ConnectionOptions`. */
  readonly cache?: number | undefined;
}
