/** Messages between a worker and the primary. All but `alive` are sent once. */
import { isObject } from '../domain/plain-values.ts';

export type Report =
  /** Answered by the settings, as the primary has read them: files may have changed since. No other report is answered. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'listening'; readonly url: string }
  /** It couldn't start, and ends. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Answers a `Question`. */
  | { readonly kind: 'alive' }
  /** It finishes its requests in flight and ends. `stale`: the store's file was moved or replaced. */
  | { readonly kind: 'storeFailed'; readonly reason: string; readonly stale: boolean };

/** Sent by the primary to a listening worker at intervals. */
export interface Question {
  readonly kind: 'alive?';
}

const kinds = ['asking', 'listening', 'refused', 'alive', 'storeFailed'];

/** Preloaded modules may use the channel too. */
export const isReport = (message: unknown): message is Report =>
  isObject(message) && kinds.includes(String(message.kind));

export const isQuestion = (message: unknown): message is Question =>
  isObject(message) && message.kind === 'alive?';

/** A worker's descriptor for the log: the primary's standard output. */
export const logDescriptor = 4;
