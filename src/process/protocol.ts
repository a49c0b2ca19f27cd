/** What a worker says to the primary, once each. The one answer there is, to `asking`, are the settings. */
import { isObject } from '../domain/plain-values.ts';

export type Report =
  /** For the settings as the primary has read them: a file changed since would make this worker differ from the others. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'listening'; readonly url: string }
  /** It ends. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** It ends what it has in flight, and then itself. `stale`: what it had open is no longer what stands there. */
  | { readonly kind: 'storeFailed'; readonly reason: string; readonly stale: boolean };

/** Others may use the channel too, such as what was preloaded. */
export const isReport = (message: unknown): message is Report =>
  isObject(message) && ['asking', 'listening', 'refused', 'storeFailed'].includes(String(message.kind));
