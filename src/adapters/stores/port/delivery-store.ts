/**
 * The state that webhooks keep beside the directory, and which process sends them. Each kind of store has an adapter, and
 * test/contract/delivery-store.ts runs over all of them. It keeps no values of resources, so an erasure changes nothing here.
 */

/** `progress`: how far a receiver is; `failure`: an entry that was set aside; `request`: the request of a command to the holder. */
export type DeliveryRowKind = 'progress' | 'failure' | 'request';

export interface DeliveryRowId {
  readonly of: DeliveryRowKind;
  /** The receiver's id. */
  readonly receiver: string;
  readonly key: string;
}

export interface DeliveryRow extends DeliveryRowId {
  /** Plain data. */
  readonly value: object;
}

/** Methods may throw errors of the database: then it is unknown whether a write was done, and the lease is unchanged. */
export interface DeliveryStore {
  /** In ms: how long the lease lasts from the call of `hold`. Infinite if the system frees it with the death of its holder. */
  readonly leaseTime: number;
  /** Takes the lease or prolongs it. @returns its fencing number, which each new holder raises; undefined while another has it */
  hold(): Promise<number | undefined>;
  /** In the order of receivers and keys (by code unit). @param receiver left out: all */
  read(of: DeliveryRowKind, receiver?: string): Promise<readonly DeliveryRow[]>;
  /**
   * Puts rows, and removes those without a value, in order but not atomically: after a fault, only the first ones may be done.
   * @param fence of the holder; left out by commands
   * @returns false if another has taken the lease since: nothing was written
   */
  write(rows: readonly (DeliveryRowId & { readonly value?: object })[], fence?: number): Promise<boolean>;
  /** Gives the lease up. */
  close(): Promise<void>;
}
