/** The interface of a kind of store, for the registry (stores/index.ts) and the configuration. */
import * as Type from 'typebox';
import type { Kinds } from '../../../domain/kinds.ts';
import type { Store } from '../../../domain/store.ts';
import type { DeliveryStore } from './delivery-store.ts';

export interface StoreHooks {
  readonly kinds: Kinds;
  /** Called when the store can't continue: the process must exit, and a restart recovers it. */
  readonly onFatal: (cause: unknown) => void;
  /** Called with a log line about a problem that the service survives. It contains no user data. */
  readonly onProblem: (message: string) => void;
  /** Called with a log line about normal operation that isn't visible otherwise. */
  readonly onNotice?: ((message: string) => void) | undefined;
  /** Called with a log line, to print at once, about the progress of a slow opening, or of indexes that are built while it serves. */
  readonly onProgress?: ((message: string) => void) | undefined;
  /** Called after a commit that several writes may share, with the number of writes. */
  readonly onCommit?: ((writes: number) => void) | undefined;
  /**
   * Whether writes are logged; true by default. It is a state of the store, not of the process: false ends the existing log for all processes
   * on the store. `kept`: as it was, for a process that only reads.
   */
  readonly isLogged?: boolean | 'kept' | undefined;
  /** Whether a store of an earlier release may be changed to this release's layout. Otherwise it is refused; false by default. */
  readonly mayMigrate?: boolean | undefined;
  /** Whether it may be a store that `copy` fills. Otherwise such a store is refused; false by default. */
  readonly mayFill?: boolean | undefined;
  /** For tests: the number of steps in which indexes of declared attributes may be built. Left out: any. */
  readonly buildSteps?: Int32Array | undefined;
  /** True if each resource is visited once, as in an import: the store caches little. */
  readonly isPassedThrough?: boolean | undefined;
}

/** Metrics that a store can return at any time, without reading resources. Each kind of store has some of them. */
export interface StoreReadings {
  /** The sizes of SQLite's database file and of its WAL, in bytes. */
  readonly fileBytes?: number;
  readonly logBytes?: number;
  /** MongoDB's connections to all members together: open, in use, and the operations waiting for one. */
  readonly connections?: number;
  readonly connectionsInUse?: number;
  readonly waitingForConnection?: number;
  /** The number of times since startup that a new primary, or a new term of the same one, was seen. */
  readonly elections?: number;
}

/** A store with metrics. */
export interface Readable {
  readings(): StoreReadings;
}

/** The store of some settings, which need not be open, nor exist. Its methods reject with a reason for the operator. */
export interface StoreLocation {
  /** Imports its driver here, since unused drivers would slow the start down. */
  open(hooks: StoreHooks): Promise<Store & Partial<Readable>>;
  /** Checks that a service could start with it, without changing anything. Returns one line for the operator about what it contains. */
  inspect(): Promise<string>;
  /** The declarations of attributes that the store was last served with, as a text; empty before the first time. Absent in a store of one process. */
  readonly declared?: {
    read(): Promise<string>;
    /** From then on no process with other declarations writes. @returns false, unless `before` was there */
    replace(before: string, next: string): Promise<boolean>;
  };
  /** The state of webhooks, separate from the store. Rejects with the driver's error. */
  openDeliveries(): Promise<DeliveryStore>;
  /** False if `open` would begin with an empty store; true if that can't be told in advance. */
  isThere(): boolean;
  /** The real paths of its files, where nothing else may be written. */
  files(): readonly string[];
  /** Where the resources are stored, for people: without secrets. */
  describe(): Promise<string>;
}

export interface StoreModule<S extends Type.TSchema = Type.TSchema> {
  /** The schema of its settings, which are configured under its kind. */
  readonly settings: S;
  /** True if several processes that open it share the same resources. */
  readonly isShared: boolean;
  at(settings: Type.Static<S>): StoreLocation;
}

/** @param steps see `StoreHooks.buildSteps` @returns whether there was one left */
export const takeStep = (steps: Int32Array | undefined): boolean =>
  steps === undefined || (Atomics.load(steps, 0) > 0 && Atomics.sub(steps, 0, 1) > 0);

/** A setting that is a time limit: up to an hour. */
export const milliseconds = () => Type.Integer({ minimum: 1, maximum: 3_600_000 });
