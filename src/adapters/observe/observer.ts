/** Who listens to what the service tells of itself: metrics, traces. Each takes of it what it needs. */
import type { Principal } from '../../domain/ports.ts';
import type { KeyEvent, KeyPlace } from '../credentials/key-events.ts';
import type { RequestObserver } from '../http/core/request-observer.ts';
import type { StoreReadings } from '../store-module.ts';
import type { OperationObserver } from './observed-store.ts';

export interface Observer {
  readonly requests?: RequestObserver;
  /** Of all operations. */
  readonly operations?: OperationObserver;
  /** Of those that are done for one request. @param principal an object of that request alone, where there is anything to observe */
  readonly operationsFor?: (principal: Principal) => OperationObserver | undefined;
  /** Called after each of a store's commits of several writes. @param writes how many it had */
  onCommit?(writes: number): void;
  onKeys?(place: KeyPlace, event: KeyEvent): void;
  /** Called once, when the store is open. @param read what the store tells of itself at any time */
  onStore?(read: () => StoreReadings): void;
}
