/** What the main thread and the writer say to each other. Plain values: an error would lose its class on the way. */

/** A document is the user as JSON: made on the main thread at the call, so that later changes don't reach it. */
export type Write =
  | { readonly kind: 'insert'; readonly document: string }
  | { readonly kind: 'replace'; readonly document: string; readonly version: string }
  | { readonly kind: 'remove'; readonly id: string; readonly version: string }
  | { readonly kind: 'mark'; readonly name: string; readonly value: string };

export interface Numbered {
  readonly number: number;
  readonly write: Write;
}

export type Request =
  | { readonly kind: 'writes'; readonly writes: readonly Numbered[] }
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
  /** A fault of ours in this very write, which changed nothing and disturbed no other. */
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
    }
  /** Outside of any write, the storage has turned out not to be what it should be. The writer has ended. */
  | { readonly kind: 'failed'; readonly reason: string; readonly stale: boolean }
  /** For the log: something that an operator should know, and the writer lives through. */
  | { readonly kind: 'problem'; readonly message: string };

/** In one message, and about as many in one transaction. Beyond this the shared commit costs next to nothing, and the first of them would wait longer. */
export const maxBatch = 256;

export interface WriterData {
  readonly file: string;
  /** In milliseconds. */
  readonly busyTimeout: number;
}
