/** The stored state of a receiver, and the report about it. */
import type { Entry, Place } from '../../domain/changes/change.ts';
import type { Cursor } from '../../domain/changes/log.ts';
import type { Tail } from '../../domain/use-cases/feed.ts';
import { DomainError } from '../../domain/validation/errors.ts';
import type { DeliveryStore } from '../stores/port/delivery-store.ts';
import type { GapReason } from './message.ts';
import { type PartitionProgress, Partitions } from './partitions.ts';
import type { Receiver } from './receivers.ts';
import type { Retry } from './retry.ts';

export interface Gap extends Retry {
  readonly reason: GapReason;
  /** Where the receiver continues. */
  readonly from: Cursor;
  readonly at: number;
}

/** The stored state of a receiver. */
export interface Progress {
  /** The line of the log. */
  readonly line: string;
  readonly partitions: readonly PartitionProgress[];
  /** Sent before any other message. */
  readonly gap?: Gap | undefined;
  /** `Receiver.mark` when the receiver answered 410: nothing is sent until it differs. */
  readonly disabled?: string | undefined;
  readonly last?: { readonly at: number; readonly outcome: string } | undefined;
}

/** The stored state of an entry that was set aside. */
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

/** For `webhook list` and `GET /webhooks`. */
export interface ReceiverState {
  readonly id: string;
  /** As `DeliveryReading.entries`; undefined for a receiver that has not begun. */
  readonly behind: number | undefined;
  readonly last: Progress['last'];
  /** A message about a gap is still to be sent. */
  readonly hasGap: boolean;
  /** It has answered 410. */
  readonly isDisabled: boolean;
  /** In the order of the log. */
  readonly failures: readonly Failure[];
}

/** @param latest the number of the log's newest entry */
export async function readStates(
  rows: DeliveryStore,
  receivers: readonly Receiver[],
  latest: number,
): Promise<readonly ReceiverState[]> {
  const [progress, failures] = [await rows.read('progress'), await rows.read('failure')];
  const found = new Map(progress.map(({ receiver, value }) => [receiver, value as Progress]));
  const aside = Map.groupBy(failures, ({ receiver }) => receiver);
  return receivers.map(({ id, mark }) => {
    const { partitions, last, gap, disabled } = found.get(id) ?? {};
    return {
      id,
      behind: partitions && Math.max(latest - new Partitions(partitions).reached, 0),
      last,
      hasGap: gap !== undefined,
      isDisabled: disabled === mark,
      failures: (aside.get(id) ?? []).map(({ value }) => value as Failure),
    };
  });
}

interface StatesParts {
  readonly receivers: { current(): readonly Receiver[] | undefined } | undefined;
  readonly open: () => Promise<DeliveryStore>;
  readonly changes: Pick<Tail, 'latest'>;
}

/** For a process that serves: reads through a store of its own, opened when it is needed, that never takes the lease. */
export class ReceiverStates {
  readonly #parts: StatesParts;
  #rows: Promise<DeliveryStore> | undefined;

  constructor(parts: StatesParts) {
    this.#parts = parts;
  }

  /** @throws DomainError `unavailable`; `not-logged` if there are receivers and no log */
  async read(): Promise<readonly ReceiverState[]> {
    const { receivers, open, changes } = this.#parts;
    const current = receivers === undefined ? [] : receivers.current();
    if (current === undefined) throw new DomainError('unavailable', 'The file of receivers is out of reach.');
    if (current.length === 0) return [];
    const latest = await changes.latest();
    try {
      this.#rows ??= open();
      return await readStates(await this.#rows, current, latest);
    } catch (cause) {
      await this.close();
      throw new DomainError('unavailable', 'The positions of the receivers are out of reach.', { cause });
    }
  }

  async close(): Promise<void> {
    const rows = this.#rows;
    this.#rows = undefined;
    await (await rows?.catch(() => undefined))?.close();
  }
}
