/** The messages between the main thread and the writer. Plain values: an error would lose its class on the way. */

/** A document is the user's text, which is canonical JSON. */
export type Write =
  | { readonly kind: 'insert'; readonly document: string }
  | { readonly kind: 'replace'; readonly document: string; readonly version: string }
  | { readonly kind: 'remove'; readonly id: string; readonly version: string }
  | { readonly kind: 'mark'; readonly name: string; readonly value: string };

export interface NumberedWrite {
  readonly number: number;
  readonly write: Write;
}

export type Request =
  | { readonly kind: 'writes'; readonly writes: readonly NumberedWrite[] }
  /** The last one: what came before it is finished first. */
  | { readonly kind: 'close' };

export type WriteResult =
  | 'done'
  /** The user has another version or is gone. */
  | 'stale'
  | 'id-taken'
  | 'user-name-taken'
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
