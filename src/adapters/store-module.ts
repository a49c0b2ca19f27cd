/** A kind of store, as the registry (stores/index.ts) and the configuration see it. */
import type Type from 'typebox';
import type { UserStore } from '../domain/ports.ts';

export interface StoreHooks {
  /** Called when the store can't go on: the process must end, and recovers by starting again. */
  readonly onFatal: (cause: unknown) => void;
  /** Called with a line for the log, about trouble that the service survives. Nothing of any user's is in it. */
  readonly onProblem: (message: string) => void;
  /** Called with a line for the log, about what is in order and can't be seen otherwise. */
  readonly onNotice?: ((message: string) => void) | undefined;
  /** Called with a line for the log, which isn't to wait: how far an opening is that takes long. */
  readonly onProgress?: ((message: string) => void) | undefined;
  /** Called after a commit that writes share, with how many it had. */
  readonly onCommit?: ((writes: number) => void) | undefined;
  /** Somebody will ask for readings: only then are those kept that take work. */
  readonly isWatched?: boolean | undefined;
  /** Everybody is going to pass through once, as in an import: little of it is kept in memory. */
  readonly isPassedThrough?: boolean | undefined;
}

/** What a store tells of itself at any time, without looking at users. Each kind has some of them. */
export interface StoreReadings {
  /** SQLite's file, and the log beside it, in bytes. */
  readonly fileBytes?: number;
  readonly logBytes?: number;
  /** MongoDB's connections, to all members together: how many there are, are at work, and how many operations wait for one. */
  readonly connections?: number;
  readonly connectionsInUse?: number;
  readonly waitingForConnection?: number;
  /** How often another primary, or the same one in another term, has been seen since the start. */
  readonly elections?: number;
}

/** A store that has readings. */
export interface Readable {
  readings(): StoreReadings;
}

export interface StoreModule<S extends Type.TSchema = Type.TSchema> {
  /** The schema of its settings, which stand under its kind. */
  readonly settings: S;
  /** True when several processes that open it see the same users. */
  readonly isShared: boolean;
  /**
   * Imports its driver here, not before: drivers that aren't used would slow the start down.
   * Rejects with a reason fit for an operator.
   */
  open(settings: Type.Static<S>, hooks: StoreHooks): Promise<UserStore & Partial<Readable>>;
  /**
   * Looks if a service could start with it, and changes nothing. Returns a line for an operator: what is there.
   * Rejects with a reason fit for an operator.
   */
  inspect(settings: Type.Static<S>): Promise<string>;
  /** False where `open` would begin with nobody; left out where that can't be told beforehand. */
  isThere?(settings: Type.Static<S>): boolean;
  /** The files that it keeps, by their real paths: nothing else may be put there. Left out where it keeps none. */
  files?(settings: Type.Static<S>): readonly string[];
  /** Where the users are, for people: without secrets. */
  describe(settings: Type.Static<S>): Promise<string>;
}
