/**
 * The entries to send to one receiver, in sixteen partitions by the id of the resource. Each partition sends one message at a time, in the order
 * of the log, and has its own position in the log: after a delay by a refused entry, it continues from there by reading the log again.
 */
import type { Entry, Place } from '../../domain/changes/change.ts';
import type { LogPage } from '../../domain/changes/log.ts';
import { type Retry, untried } from './retry.ts';

/** A place in the log; `start`: before the oldest entry, whichever it is. */
export type Spot = Place | 'start';

interface Waiting {
  /** Without values. */
  readonly entry: Entry;
  /** The place before it; undefined for an entry that was set aside and is sent again. */
  readonly before: Spot | undefined;
  retry: Retry;
}

/** The stored state of a partition. */
export interface PartitionProgress extends Partial<Retry> {
  readonly at: Spot;
}

/** Entries that wait in a partition: it reads more when there are fewer than the first number, until it has the second. */
const [few, many] = [8, 16];

const count = 16;

const numberOf = (spot: Spot): number => (spot === 'start' ? -1 : spot.number);

export const isBefore = (one: Spot, other: Spot): boolean => numberOf(one) < numberOf(other);

/** As it is stored: with the mark of an access profile, to which a place belongs as any cursor does. */
export const placeOf = ({ number, mark, access }: Place): Place => ({
  ...{ number, mark },
  ...(access !== undefined && { access }),
});

export class Partition {
  readonly queue: Waiting[] = [];
  isSending = false;
  /** All entries up to there are in the queue, or need not be sent any more. */
  readTo: Spot;
  /** The attempts of the first entry that will be read. */
  #resumed: Retry;

  constructor({ at, tries, due }: PartitionProgress) {
    this.readTo = at;
    this.#resumed = { ...untried, ...(tries !== undefined && due !== undefined && { tries, due }) };
  }

  push(entry: Entry, before: Spot): void {
    this.queue.push({ entry, before, retry: this.#resumed });
    this.#resumed = untried;
  }

  /** Sends an entry again that was set aside: in the order of the log among those, and before all others. */
  repeat(entry: Entry): void {
    const isLater = (one: Waiting) => one.before !== undefined || isBefore(entry, one.entry);
    const at = this.queue.findIndex((one, place) => !(this.isSending && place === 0) && isLater(one));
    const place = at < 0 ? this.queue.length : at;
    this.queue.splice(place, 0, { entry, before: undefined, retry: untried });
  }

  /** Continues from there. */
  moveTo(spot: Spot): void {
    this.queue.length = 0;
    this.readTo = spot;
    this.#resumed = untried;
  }

  /** The first entry in the order of the log that may not have arrived. */
  get first(): Waiting | undefined {
    return this.queue.find(({ before }) => before !== undefined);
  }

  get progress(): PartitionProgress {
    const { before: at = this.readTo, retry = this.#resumed } = this.first ?? {};
    return { at, ...(retry.tries > 0 && retry) };
  }
}

export class Partitions {
  readonly all: readonly Partition[];

  constructor(progress: readonly PartitionProgress[]) {
    this.all = progress.map((one) => new Partition(one));
  }

  /** All at one place. */
  static at(spot: Spot): PartitionProgress[] {
    return Array.from({ length: count }, () => ({ at: spot }));
  }

  /** Chosen by the last hexadecimal digit of the id, which is random in a UUID. */
  of({ id }: Pick<Entry, 'id'>): Partition | undefined {
    return this.all[Number.parseInt(id.slice(-1), count) || 0];
  }

  /** Where to continue reading; undefined while every partition has enough to send. */
  get nextRead(): Spot | undefined {
    const [first] = this.all
      .filter(({ queue }) => queue.length < few)
      .map(({ readTo }) => readTo)
      .sort((one, other) => numberOf(one) - numberOf(other));
    return first;
  }

  /** The partitions that may send, the one that has waited longest first. */
  get ready(): readonly Partition[] {
    return this.all
      .filter(({ queue, isSending }) => !isSending && queue.length > 0)
      .sort((one, other) => dueOf(one) - dueOf(other));
  }

  /** The number of an entry up to which everything has arrived. */
  get reached(): number {
    return Math.min(...this.all.map(({ progress: { at } }) => Math.max(numberOf(at), 0)));
  }

  /** Makes all waiting messages due. */
  hurry(): void {
    for (const { queue } of this.all) if (queue[0]) queue[0].retry = { ...queue[0].retry, due: 0 };
  }

  /** Takes the entries that each partition has room for. @param page all wanted entries from `from` to its end, and maybe earlier ones */
  take(from: Spot, { entries, end }: LogPage): void {
    const open = new Set(this.all.filter(({ readTo }) => !isBefore(readTo, from)));
    let before = from;
    for (const entry of entries.filter((one) => isBefore(from, one))) {
      const partition = this.of(entry);
      if (partition && open.has(partition) && isBefore(partition.readTo, entry)) {
        if (partition.queue.length >= many) open.delete(partition);
        else {
          partition.push(entry, before);
          partition.readTo = placeOf(entry);
        }
      }
      before = placeOf(entry);
    }
    for (const partition of open) if (!isBefore(end, partition.readTo)) partition.readTo = placeOf(end);
  }
}

const dueOf = ({ queue }: Partition): number => queue[0]?.retry.due ?? 0;
