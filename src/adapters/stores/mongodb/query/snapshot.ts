import type { ClientSession } from 'mongodb';

/** The state of the data that several commands read. */
export interface Snapshot {
  /** Of each command. */
  readonly options: {
    readonly session?: ClientSession;
    readonly readConcern?: { readonly level: 'snapshot' };
  };
  /** The sizes of sets of members, as far as they are known. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** None in particular: each command reads the last one. */
export const noSnapshot: Snapshot = { options: {}, sizes: new Map() };
