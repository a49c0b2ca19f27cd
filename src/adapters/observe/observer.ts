/**
 * An observer of the service, such as metrics and traces. Each implements the events that it needs.
 *
 * In: events of requests (http/pipeline/request-observer.ts), of operations of the store (`observed-store.ts`, a decorator), of commits and of
 * keys, and the store's readings. Out, where they are asked for:
 * - metrics: `metrics.ts`, from `request-metrics.ts`, `store-metrics.ts`, `log-metrics.ts` and `key-metrics.ts`;
 * - traces: `tracing.ts`, from `spans.ts`.
 *
 * On a first reading skip `method-name.ts`.
 */
import type { ChangeLog } from '../../domain/changes/log.ts';
import type { KeyEvent, KeyPlace } from '../credentials/key-events.ts';
import type { RequestObserver } from '../http/pipeline/request-observer.ts';
import type { StoreReadings } from '../stores/port/store-module.ts';
import type { LogSettings } from '../stores/pruning.ts';
import type { OperationObserver } from './observed-store.ts';

export interface Observer {
  readonly requests?: RequestObserver;
  readonly operations?: OperationObserver;
  /** Called after each of a store's commits of several writes. @param writes how many it had */
  onCommit?(writes: number): void;
  onKeys?(place: KeyPlace, event: KeyEvent): void;
  /** Called once, when the store is open. @param read the store's current readings */
  onStore?(read: () => StoreReadings): void;
  /** Called once, when the store is open, if it keeps a change log. */
  onLog?(log: Pick<ChangeLog, 'measure'>, settings: LogSettings): void;
}
