/**
 * An observer of the service, such as metrics and traces. Each implements the events that it needs.
 *
 * In: events of requests (http/pipeline/request-observer.ts), of operations of the store (`observed-store.ts`, a decorator), of commits and of
 * keys, and the store's readings. Out, where they are asked for:
 * - metrics: `metrics.ts`, which says where each is recorded (`request-metrics.ts` counts HTTP requests);
 * - traces: `tracing.ts`.
 */
import type { ChangeLog } from '../../domain/changes/log.ts';
import type { Due } from '../../domain/follow-time.ts';
import type { KeyEvent, KeyPlace } from '../credentials/bearer.ts';
import type { RequestObserver } from '../http/pipeline/request-observer.ts';
import type { StoreReadings } from '../stores/port/store-module.ts';
import type { LogSettings } from '../stores/pruning.ts';
import type { Attempt, DeliveryReading } from '../webhooks/progress.ts';
import type { OperationObserver } from './observed-store.ts';

export interface Observer {
  readonly requests?: RequestObserver;
  readonly operations?: OperationObserver;
  /** Called after each commit of the store with several writes. @param writes the number of writes */
  onCommit?(writes: number): void;
  onKeys?(place: KeyPlace, event: KeyEvent): void;
  /** Called once, when the store is open. @param read the store's current readings */
  onStore?(read: () => StoreReadings): void;
  /** Called once, when the store is open. @param measure counts the users whose validity is due */
  onDue?(measure: () => Promise<Due>): void;
  onWebhook?(attempt: Attempt): void;
  /** Called once, if there is a file of receivers. @param read of the receivers that this process sends to; none while another has the lease */
  onWebhooks?(read: () => Promise<readonly DeliveryReading[]>): void;
  /** Called once, when the store is open, if it keeps a change log. */
  onLog?(log: Pick<ChangeLog, 'measure'>, settings: LogSettings): void;
}

/** The methods of RFC 9110 and PATCH. */
const known: ReadonlySet<string> = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
]);

/** OpenTelemetry's `http.request.method`: a client may send any token as a method, and each would be a name of its own. */
export const nameOfMethod = (method = ''): string => (known.has(method) ? method : '_OTHER');
