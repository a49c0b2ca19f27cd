/**
 * What webhooks keep beside the directory, and which process sends them. Each kind of store has an adapter, and test/contract/delivery-store.ts runs
 * over all of them. It keeps no values of resources: an erasure has nothing to do here.
 */

/** `progress`: where a receiver is; `failure`: an entry that was set aside; `request`: what a command asks of the holder. */
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

/** Methods may throw errors of the database: nothing is known then of what a write has done, and the lease is as it was. */
export interface DeliveryStore {
  /** In ms: how long the lease lasts from the call of `hold`. Infinite if the system frees it with the death of its holder. */
  readonly leaseTime: number;
  /** Takes the lease or prolongs it. @returns its fencing number, which each new holder raises; undefined while another has it */
  hold(): Promise<number | undefined>;
  /** In the order of receivers and keys (by code unit). @param receiver left out: all */
  read(of: DeliveryRowKind, receiver?: string): Promise<readonly DeliveryRow[]>;
  /**
   * Puts rows, and removes those without a value. In order, but not as one: a fault may leave the first ones.
   * @param fence of the holder; left out by commands
   * @returns false if another has taken the lease since: nothing was written
   */
  write(rows: readonly (DeliveryRowId & { readonly value?: object })[], fence?: number): Promise<boolean>;
  /** Gives the lease up. */
  close(): Promise<void>;
}
