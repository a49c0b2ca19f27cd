/**
 * Sends the changes of the log to one receiver, as long as this process has the lease.
 *
 * In: entries, from `log-reader.ts`, until each partition has enough (`partitions.ts`). Out: attempts (`attempts.ts`), each with the message of
 * the first entry of a partition; and rows for the store (`unwritten`). A failed attempt is repeated by the schedule in `retry.ts`, and the entry
 * is then set aside.
 */
import type { Entry, Place } from '../../domain/changes/change.ts';
import type { Cursor, LogPage } from '../../domain/changes/log.ts';
import type { Access } from '../../domain/find/access.ts';
import { isCode } from '../../domain/validation/errors.ts';
import type { DeliveryRow, DeliveryRowId } from '../stores/port/delivery-store.ts';
import { Attempts, type AttemptsParts } from './attempts.ts';
import { findEnd, type LogParts, LogReader, readEntry } from './log-reader.ts';
import type { GapReason, Messages } from './message.ts';
import { type Partition, Partitions, placeOf, type Spot } from './partitions.ts';
import { type DeliveryReading, type Failure, failureKey, type Gap, type Progress } from './progress.ts';
import type { Receiver } from './receivers.ts';
import { isDue, maxTries, type Retry, untried } from './retry.ts';

export interface DeliveryParts extends LogParts, AttemptsParts {
  readonly clock: LogParts['clock'];
  readonly messages: Messages;
}

type Change = DeliveryRowId & { readonly value?: object };

export class Delivery {
  readonly #parts: DeliveryParts;
  readonly #attempts: Attempts;
  readonly #partitions: Partitions;
  #reader: LogReader;
  readonly #setAside: Set<string>;
  readonly access: Access | undefined;
  receiver: Receiver;
  /** The line of the log. */
  line: string;
  #gap: Gap | undefined;
  #changes: Change[] = [];
  #written = '';
  #timerAt = Number.POSITIVE_INFINITY;

  /** @param access of the receiver's profile @param setAside the keys of rows of entries that were set aside before */
  constructor(
    parts: DeliveryParts,
    receiver: Receiver,
    access: Access | undefined,
    progress: Progress,
    setAside: readonly string[],
  ) {
    [this.#parts, this.receiver, this.access] = [parts, receiver, access];
    this.#partitions = new Partitions(progress.partitions);
    this.#setAside = new Set(setAside);
    this.#attempts = new Attempts(parts, progress, receiver.mark);
    [this.line, this.#gap] = [progress.line, progress.gap];
    this.#reader = new LogReader(parts, this);
    this.#pump();
  }

  get nextRead(): Spot | undefined {
    return this.#partitions.nextRead;
  }

  take(from: Spot, page: LogPage): void {
    this.#partitions.take(from, page);
    this.#pump();
  }

  /** The receiver continues from the end of the log, and gets a message about that first. */
  onGap(reason: GapReason, from: Cursor): void {
    this.#gap = { reason, from, at: this.#parts.clock.now(), ...untried };
    this.line = from.line;
    this.#moveTo(from);
  }

  /** @param latest the number of the newest entry */
  read(latest: number): DeliveryReading {
    const dates = this.#partitions.all.flatMap(({ first }) => first?.entry.at ?? []);
    const waited = dates.length === 0 ? 0 : this.#parts.clock.now() - Math.min(...dates);
    return {
      receiver: this.receiver.id,
      entries: Math.max(latest - this.#partitions.reached, 0),
      seconds: Math.max(waited, 0) / 1000,
      setAside: this.#setAside.size,
      isDisabled: this.#attempts.disabled !== undefined,
    };
  }

  /** The rows that the store doesn't have yet. `done` is called once it has them. */
  unwritten(): { readonly rows: readonly Change[]; readonly done: () => void } {
    const { disabled, last } = this.#attempts;
    const progress: Progress = {
      line: this.line,
      partitions: this.#partitions.all.map((partition) => partition.progress),
      ...(this.#gap && { gap: this.#gap }),
      ...(disabled !== undefined && { disabled }),
      ...(last && { last }),
    };
    const text = JSON.stringify(progress);
    const { length } = this.#changes;
    const rows = [...this.#changes];
    if (text !== this.#written) rows.push({ ...this.#row('progress', ''), value: progress });
    const done = () => {
      this.#changes.splice(0, length);
      this.#written = text;
    };
    return { rows, done };
  }

  /** After a change of the file. */
  configure(receiver: Receiver): void {
    if (receiver.mark === this.receiver.mark) return;
    this.receiver = receiver;
    this.enable();
  }

  /** Sends again to a receiver that answered 410, and tries the waiting messages at once. */
  enable(): void {
    this.#attempts.disabled = undefined;
    this.#partitions.hurry();
    if (this.#gap) this.#gap = { ...this.#gap, due: 0 };
    this.#pump();
  }

  /** Sends everything after the place again. */
  replay({ line, number, mark }: Cursor): void {
    if (line === this.line) this.#moveTo({ number, mark, ...(this.access && { access: this.access.mark }) });
  }

  /** Sends an entry again that was set aside, or a message about a gap if it isn't kept any more. */
  async repeat(failure: Failure): Promise<void> {
    const [access, { line }] = [this.access, failure];
    const entry = await readEntry(this.#parts, { access, line }, failure).catch((error) => {
      // The receiver gets a message about a gap for each new log and each change of the profile.
      if (isCode(error, 'cursor-foreign')) return 'told' as const;
      throw error;
    });
    if (entry === undefined || entry === 'told') this.#forget(failureKey(failure));
    else this.#partitions.of(entry)?.repeat(entry);
    if (entry === undefined && this.#gap === undefined)
      this.onGap('expired', await findEnd(this.#parts, access));
    this.#pump();
  }

  /** @param grace in ms: how long attempts may last. Resolves when they have ended */
  stop(grace: number): Promise<void> {
    this.#reader.stop();
    return this.#attempts.stop(grace);
  }

  #row(of: DeliveryRow['of'], key: string): DeliveryRowId {
    return { of, receiver: this.receiver.id, key };
  }

  #moveTo(place: Place): void {
    for (const partition of this.#partitions.all) partition.moveTo(placeOf(place));
    this.#reader.stop();
    this.#reader = new LogReader(this.#parts, this);
    this.#pump();
  }

  /** Begins the attempts that are due, and plans the next ones. */
  #pump(): void {
    if (this.#attempts.areOver) return;
    const now = this.#parts.clock.now();
    if (this.#gap !== undefined) {
      if (this.#attempts.open === 0 && isDue(this.#gap, now)) void this.#tellGap(this.#gap);
      else this.#plan(this.#gap);
      return;
    }
    for (const partition of this.#partitions.ready) {
      const { retry = untried } = partition.queue[0] ?? {};
      if (this.#attempts.open >= this.receiver.concurrency) return;
      if (isDue(retry, now)) void this.#attempt(partition);
      else this.#plan(retry);
    }
  }

  #plan({ due }: Retry): void {
    if (due >= this.#timerAt) return;
    this.#timerAt = due;
    const { clock } = this.#parts;
    clock.later(
      () => {
        this.#timerAt = Number.POSITIVE_INFINITY;
        this.#pump();
      },
      Math.max(due - clock.now(), 0),
    );
  }

  async #attempt(partition: Partition): Promise<void> {
    const [head] = partition.queue;
    if (head === undefined) return;
    const [{ content }, line] = [this.receiver, this.line];
    partition.isSending = true;
    const { outcome, retry } = await this.#attempts.begin(this.receiver, head.retry, async () => {
      const entry = content === 'values' ? await this.#readAgain(head.entry) : undefined;
      return this.#parts.messages.ofEntry(this.receiver, entry ?? head.entry, line);
    });
    partition.isSending = false;
    if (partition.queue[0] === head) {
      if (retry && retry.tries < maxTries) head.retry = retry;
      else this.#remove(partition, retry && outcome);
    }
    this.#afterAttempt();
  }

  /** While every partition has enough to send, nothing else finds out that the log was begun anew. @throws Error if so */
  async #readAgain(entry: Entry): Promise<Entry | undefined> {
    const { access, line } = this;
    return await readEntry(this.#parts, { access, line }, entry).catch(async (error) => {
      const end = isCode(error, 'cursor-foreign') ? await findEnd(this.#parts, access) : undefined;
      if (end && this.line === line) this.onGap('replaced', end);
      throw error;
    });
  }

  /** @param outcome of the last attempt, if that failed: the entry is set aside */
  #remove(partition: Partition, outcome: string | undefined): void {
    const { entry } = partition.queue.shift() ?? {};
    if (entry === undefined) return;
    const [key, { type, id }] = [failureKey(entry), entry];
    if (outcome === undefined) {
      this.#forget(key);
      return;
    }
    const at = this.#parts.clock.now();
    const value: Failure = { ...placeOf(entry), line: this.line, type, id, at, outcome };
    this.#setAside.add(key);
    this.#changes.push({ ...this.#row('failure', key), value });
  }

  /** The entry is set aside no longer. */
  #forget(key: string): void {
    if (this.#setAside.delete(key)) this.#changes.push(this.#row('failure', key));
  }

  async #tellGap(gap: Gap): Promise<void> {
    const { messages } = this.#parts;
    const { retry } = await this.#attempts.begin(this.receiver, gap, async () =>
      messages.ofGap(this.receiver, gap.reason, gap.from, gap.at),
    );
    if (this.#gap === gap) this.#gap = retry && { ...gap, ...retry };
    this.#afterAttempt();
  }

  #afterAttempt(): void {
    this.#attempts.end();
    this.#reader.onRoom();
    this.#pump();
  }
}
