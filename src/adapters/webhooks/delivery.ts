/**
 * Sends the changes of the log to one receiver, as long as this process has the lease.
 *
 * In: entries, from `log-reader.ts`, until each partition has enough (`partitions.ts`). Out: attempts (`sender.ts`), each with the message of the first
 * entry of a partition; and rows for the store (`unwritten`). What fails is tried again by `schedule.ts`, then set aside.
 */
import type { Entry, Place } from '../../domain/changes/change.ts';
import type { Cursor, LogPage } from '../../domain/changes/log.ts';
import type { Access } from '../../domain/find/access.ts';
import { eventLoop } from '../scheduler/event-loop.ts';
import type { DeliveryRow, DeliveryRowId } from '../stores/port/delivery-store.ts';
import { messageOf } from '../system/errors.ts';
import { type LogParts, LogReader, patience, readEntry, worker } from './log-reader.ts';
import type { GapReason, Message, Messages } from './message.ts';
import { type Partition, Partitions, placeOf, type Spot } from './partitions.ts';
import {
  type Attempt,
  type DeliveryReading,
  type Failure,
  failureKey,
  type Gap,
  type Progress,
} from './progress.ts';
import type { Receiver } from './receivers.ts';
import { isDue, maxTries, planRetry, type Retry, untried } from './schedule.ts';
import { type Answer, isSuccess, Sender } from './sender.ts';

export interface DeliveryParts extends LogParts {
  readonly messages: Messages;
  readonly onAttempt: (attempt: Attempt) => void;
}

type Change = DeliveryRowId & { readonly value?: object };

export class Delivery {
  readonly #parts: DeliveryParts;
  readonly #sender = new Sender();
  readonly #partitions: Partitions;
  readonly #reader: LogReader;
  readonly #setAside: Set<string>;
  readonly access: Access | undefined;
  #receiver: Receiver;
  #line: string;
  #gap: Gap | undefined;
  #disabled: string | undefined;
  #last: Progress['last'];
  #changes: Change[] = [];
  #written = '';
  #sending = 0;
  #isStopped = false;
  #timerAt = Number.POSITIVE_INFINITY;
  #onIdle: () => void = () => undefined;

  /** @param access of the receiver's profile @param setAside the keys of rows of entries that were set aside before */
  constructor(
    parts: DeliveryParts,
    receiver: Receiver,
    access: Access | undefined,
    progress: Progress,
    setAside: readonly string[],
  ) {
    [this.#parts, this.#receiver, this.access] = [parts, receiver, access];
    this.#partitions = new Partitions(progress.partitions);
    this.#setAside = new Set(setAside);
    [this.#line, this.#gap, this.#last] = [progress.line, progress.gap, progress.last];
    if (progress.disabled === receiver.mark) this.#disabled = progress.disabled;
    this.#reader = new LogReader(parts, this);
    void this.#reader.run();
    this.#pump();
  }

  get receiver(): Receiver {
    return this.#receiver;
  }

  get line(): string {
    return this.#line;
  }

  get nextRead(): Spot | undefined {
    return this.#partitions.nextRead;
  }

  take(from: Spot, page: LogPage): void {
    this.#partitions.take(from, page);
    this.#pump();
  }

  /** The receiver goes on from the end of the log, and is told so before. */
  onGap(reason: GapReason, from: Cursor): void {
    this.#gap = { reason, from, at: this.#parts.clock.now(), ...untried };
    this.#line = from.line;
    this.#moveTo(from);
  }

  /** @param latest the number of the newest entry */
  read(latest: number): DeliveryReading {
    const dates = this.#partitions.all.flatMap(({ first }) => first?.entry.at ?? []);
    const waited = dates.length === 0 ? 0 : this.#parts.clock.now() - Math.min(...dates);
    return {
      receiver: this.#receiver.id,
      entries: Math.max(latest - this.#partitions.reached, 0),
      seconds: Math.max(waited, 0) / 1000,
      setAside: this.#setAside.size,
      isDisabled: this.#disabled !== undefined,
    };
  }

  /** The rows that the store doesn't have yet. `done` is called once it has them. */
  unwritten(): { readonly rows: readonly Change[]; readonly done: () => void } {
    const progress: Progress = {
      line: this.#line,
      partitions: this.#partitions.all.map((partition) => partition.progress),
      ...(this.#gap && { gap: this.#gap }),
      ...(this.#disabled !== undefined && { disabled: this.#disabled }),
      ...(this.#last && { last: this.#last }),
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
    if (receiver.mark === this.#receiver.mark) return;
    this.#receiver = receiver;
    this.enable();
  }

  /** Sends again to a receiver that answered 410, and tries at once what waits for its next attempt. */
  enable(): void {
    this.#disabled = undefined;
    this.#partitions.hurry();
    if (this.#gap) this.#gap = { ...this.#gap, due: 0 };
    this.#pump();
  }

  /** Sends everything after the place again. */
  replay({ line, number, mark }: Cursor): void {
    if (line === this.#line) this.#moveTo({ number, mark, ...(this.access && { access: this.access.mark }) });
  }

  /** Sends an entry again that was set aside. */
  async repeat(failure: Failure): Promise<void> {
    const isKnown = failure.line === this.#line;
    const entry = isKnown ? await readEntry(this.#parts, this, failure) : undefined;
    if (entry) this.#partitions.of(entry)?.repeat(entry);
    this.#pump();
  }

  /** Begins no attempt any more. @param grace in ms: how long attempts may last. Resolves when they have ended */
  async stop(grace: number): Promise<void> {
    this.#isStopped = true;
    this.#reader.stop();
    if (this.#sending > 0 && grace > 0)
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
        setTimeout(resolve, grace).unref();
      });
    this.#sender.close();
  }

  #row(of: DeliveryRow['of'], key: string): DeliveryRowId {
    return { of, receiver: this.#receiver.id, key };
  }

  #moveTo(place: Place): void {
    for (const partition of this.#partitions.all) partition.moveTo(placeOf(place));
    this.#reader.move();
    this.#pump();
  }

  /** Begins the attempts that are due, and plans the next ones. */
  #pump(): void {
    if (this.#isStopped || this.#disabled !== undefined) return;
    const now = this.#parts.clock.now();
    if (this.#gap !== undefined) {
      if (this.#sending === 0 && isDue(this.#gap, now)) void this.#tellGap(this.#gap);
      else this.#plan(this.#gap);
      return;
    }
    for (const partition of this.#partitions.ready) {
      const { retry = untried } = partition.queue[0] ?? {};
      if (this.#sending >= this.#receiver.concurrency) return;
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
    const { messages, clock } = this.#parts;
    const [{ content }, line] = [this.#receiver, this.#line];
    partition.isSending = true;
    const answer = await this.#send(head.retry, async () => {
      const entry = content === 'values' ? await readEntry(this.#parts, this, head.entry) : undefined;
      return messages.ofEntry(this.#receiver, entry ?? head.entry, line);
    });
    partition.isSending = false;
    if (partition.queue[0] === head) {
      const tries = head.retry.tries + 1;
      if (answer === undefined) head.retry = { ...head.retry, due: clock.now() + patience };
      else if (isSuccess(answer)) this.#onDelivered(partition, head.entry);
      else if (this.#disabled !== undefined) head.retry = { ...head.retry, due: 0 };
      else if (tries < maxTries) head.retry = planRetry(tries, clock.now(), answer.retryAfter);
      else this.#putAside(partition, head.entry, answer);
    }
    this.#afterAttempt();
  }

  #onDelivered(partition: Partition, entry: Entry): void {
    partition.queue.shift();
    const key = failureKey(entry);
    if (this.#setAside.delete(key)) this.#changes.push(this.#row('failure', key));
  }

  #putAside(partition: Partition, entry: Entry, { outcome }: Answer): void {
    partition.queue.shift();
    const key = failureKey(entry);
    const { type, id } = entry;
    const value: Failure = {
      ...placeOf(entry),
      line: this.#line,
      type,
      id,
      at: this.#parts.clock.now(),
      outcome,
    };
    this.#setAside.add(key);
    this.#changes.push({ ...this.#row('failure', key), value });
  }

  async #tellGap(gap: Gap): Promise<void> {
    const { messages, clock } = this.#parts;
    const answer = await this.#send(gap, async () =>
      messages.ofGap(this.#receiver, gap.reason, gap.from, gap.at),
    );
    if (this.#gap === gap && answer !== undefined && this.#disabled === undefined)
      this.#gap = isSuccess(answer)
        ? undefined
        : { ...gap, ...planRetry(gap.tries + 1, clock.now(), answer.retryAfter) };
    this.#afterAttempt();
  }

  #afterAttempt(): void {
    this.#sending -= 1;
    if (this.#sending === 0) this.#onIdle();
    this.#reader.onRoom();
    this.#pump();
  }

  /** `#afterAttempt` follows. @returns undefined if the store didn't have the entry's values, or `stop` cut the attempt off */
  async #send({ tries }: Retry, make: () => Promise<Message>): Promise<Answer | undefined> {
    const { clock, onAttempt, onProblem } = this.#parts;
    const receiver = this.#receiver;
    this.#sending += 1;
    try {
      await eventLoop.next(worker);
      const message = await make();
      const answer = await this.#sender.send(receiver, message, clock.now());
      const isDelivered = isSuccess(answer);
      if (this.#isStopped && !isDelivered) return undefined;
      if (answer.outcome === '410') this.#disabled = receiver.mark;
      this.#last = { at: clock.now(), outcome: answer.outcome };
      const failed = isDelivered ? tries : tries + 1;
      const isLast = isDelivered || failed >= maxTries || this.#disabled !== undefined;
      const { id } = message;
      onAttempt({
        receiver: receiver.id,
        message: id,
        outcome: answer.outcome,
        isDelivered,
        tries: failed,
        isLast,
      });
      return answer;
    } catch (error) {
      onProblem(`a webhook to ${receiver.id} waits for its values: ${messageOf(error)}`);
      return undefined;
    }
  }
}
