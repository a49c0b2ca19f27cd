/** What a store keeps of a receiver, and what is told of it. */
import type { Entry, Place } from '../../domain/changes/change.ts';
import type { Cursor } from '../../domain/changes/log.ts';
import type { GapReason } from './message.ts';
import type { PartitionProgress } from './partitions.ts';
import type { Retry } from './schedule.ts';

export interface Gap extends Retry {
  readonly reason: GapReason;
  /** Where the receiver goes on. */
  readonly from: Cursor;
  readonly at: number;
}

/** What a store keeps of a receiver. */
export interface Progress {
  /** Of the log. */
  readonly line: string;
  readonly partitions: readonly PartitionProgress[];
  /** Told before anything else is sent. */
  readonly gap?: Gap | undefined;
  /** `Receiver.mark` when the receiver answered 410: nothing is sent until it differs. */
  readonly disabled?: string | undefined;
  readonly last?: { readonly at: number; readonly outcome: string } | undefined;
}

/** What a store keeps of an entry that was set aside. */
export interface Failure extends Place, Pick<Entry, 'type' | 'id'> {
  readonly line: string;
  readonly at: number;
  readonly outcome: string;
}

export interface Attempt {
  readonly receiver: string;
  /** `Message.id` */
  readonly message: string;
  readonly outcome: string;
  readonly isDelivered: boolean;
  /** Failed attempts, this one included. */
  readonly tries: number;
  /** No attempt follows by itself. */
  readonly isLast: boolean;
}

/** For metrics and `webhook list`. */
export interface DeliveryReading {
  readonly receiver: string;
  /** Entries from the first that may not have arrived to the newest. */
  readonly entries: number;
  /** The age of the oldest entry that waits. */
  readonly seconds: number;
  readonly setAside: number;
  readonly isDisabled: boolean;
}

export const failureKey = ({ number, mark }: Place): string => `${String(number).padStart(15, '0')}_${mark}`;
