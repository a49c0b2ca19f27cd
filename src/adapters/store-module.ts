/** What a kind of store says of itself to whoever chooses between them. */
import type Type from 'typebox';
import type { UserStore } from '../domain/ports.ts';

/** What a store tells while it runs. */
export interface StoreHooks {
  /** Called when the store can't go on and the process shall end; a restart recovers it. */
  readonly onFatal: (cause: unknown) => void;
  /** Told what an operator should know and the service lives through. Fit for a log. */
  readonly onProblem: (message: string) => void;
}

export interface StoreModule<S extends Type.TSchema = Type.TSchema> {
  /** The schema of its settings, which stand under its kind. */
  readonly settings: S;
  /** Whether several processes that open it see the same users. */
  readonly isShared: boolean;
  /**
   * Imports its driver: one that isn't used would be a good part of the start.
   * Rejects with a reason fit for an operator.
   */
  open(settings: Type.Static<S>, hooks: StoreHooks): Promise<UserStore>;
  /** Where the users are, for people: without secrets. */
  describe(settings: Type.Static<S>): Promise<string>;
}
