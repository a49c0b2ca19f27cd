/** The messages between the main thread and a search thread. */
import type { KindName } from '../../../../domain/base/errors.ts';
import type { Counting, Search } from './searcher.ts';

/** `of` is the kind. */
export type Question = { readonly of: KindName } & (
  | { readonly kind: 'list'; readonly search: Search }
  | ({ readonly kind: 'count' } & Counting)
);

/** Answered one by one, in their order. `close` is the last one. */
export type Request = Question | { readonly kind: 'close' };

export type Answer =
  | { readonly kind: 'documents'; readonly documents: readonly string[] }
  | { readonly kind: 'count'; readonly count: number }
  /** An error of the domain. */
  | { readonly kind: 'refused'; readonly code: 'query-too-costly' | 'unavailable'; readonly message: string }
  /** SQLite's, or a fault of the program. */
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly isStorageFault: boolean;
      readonly isSqlite: boolean;
    };

export interface SearchThreadData {
  readonly file: string;
}
