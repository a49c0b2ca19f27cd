/** What a worker says to the primary. The one answer there is, to `asking`, are the settings. All but `alive` is said once. */
import { isObject } from '../domain/plain-values.ts';

export type Report =
  /** For the settings as the primary has read them: a file changed since would make this worker differ from the others. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'listening'; readonly url: string }
  /** It ends. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Its answer to the question. */
  | { readonly kind: 'alive' }
  /** It ends what it has in flight, and then itself. `stale`: what it had open is no longer what stands there. */
  | { readonly kind: 'storeFailed'; readonly reason: string; readonly stale: boolean };

/** What the primary asks a worker that listens, now and then. */
export interface Question {
  readonly kind: 'alive?';
}

const kinds = ['asking', 'listening', 'refused', 'alive', 'storeFailed'];

/** Others may use the channel too, such as what was preloaded. */
export const isReport = (message: unknown): message is Report =>
  isObject(message) && kinds.includes(String(message.kind));

export const isQuestion = (message: unknown): message is Question =>
  isObject(message) && message.kind === 'alive?';

/** A worker's descriptor for the log: that of the primary's standard output. */
export const logDescriptor = 4;
