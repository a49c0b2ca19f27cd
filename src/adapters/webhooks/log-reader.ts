/** Reads the change log for one receiver: pages until it is up to date, then what the watcher of the log gives to all who wait. */
import type { Entry, Place } from '../../domain/changes/change.ts';
import { meets } from '../../domain/changes/filter.ts';
import type { ChangeLog, Cursor, LogPage } from '../../domain/changes/log.ts';
import type { Kinds } from '../../domain/kinds.ts';
import type { Store } from '../../domain/store.ts';
import { DomainError } from '../../domain/validation/errors.ts';
import type { ChangeWatcher, Follower } from '../change-watcher/change-watcher.ts';
import { eventLoop } from '../scheduler/event-loop.ts';
import { messageOf } from '../system/errors.ts';
import { type GapReason, gapReasons } from './message.ts';
import { isBefore, type Spot } from './partitions.ts';
import type { Receiver } from './receivers.ts';

/** Entries that are read at a time. */
const readAtOnce = 100;

/** In ms: the time after which the log is read again when it was unavailable. */
export const patience = 1000;

/** The scheduler's name for all receivers: their work counts as that of one client. */
export const worker = 'webhooks';

export interface LogParts {
  readonly log: ChangeLog;
  readonly store: Pick<Store, 'findMembers'>;
  readonly kinds: Kinds;
  readonly watcher: Pick<ChangeWatcher, 'next' | 'wake' | 'isStopped'>;
  readonly clock: {
    /** In ms since 1970. */
    now(): number;
    /** Keeps no process alive. */
    later(run: () => void, ms: number): void;
  };
  /** Called with a line for the log. */
  readonly onProblem: (problem: string) => void;
}

/** What the reader reads for. */
interface Reading {
  readonly receiver: Receiver;
  readonly line: string;
  /** Undefined while there is enough to send. */
  readonly nextRead: Spot | undefined;
  take(from: Spot, page: LogPage, isWanted: (entry: Entry) => boolean): void;
  /** The place is no longer in the log. @param from its end */
  onGap(reason: GapReason, from: Cursor): void;
}

/** An entry with its values; undefined if it isn't kept any more. */
export async function readEntry(
  log: ChangeLog,
  { type, id, number, mark }: Place & Pick<Entry, 'type' | 'id'>,
  line: string,
): Promise<Entry | undefined> {
  const of = { kind: type.slice(0, type.indexOf('.')), id };
  const { entries } = await log.history(1, { line, number: number + 1, mark: '' }, of);
  const [entry] = entries;
  return entry?.number === number && entry.mark === mark ? entry : undefined;
}

export class LogReader {
  readonly #parts: LogParts;
  readonly #reading: Reading;
  readonly #follower: Follower = { wakeAt: Number.POSITIVE_INFINITY };
  #isStopped = false;
  /** Differs after `move`: a page that was read before doesn't count. */
  #moves = 0;
  #waitsAt: Spot | undefined;
  #room = Promise.withResolvers<void>();

  constructor(parts: LogParts, reading: Reading) {
    [this.#parts, this.#reading] = [parts, reading];
  }

  async run(): Promise<void> {
    while (!this.#isStopped)
      try {
        await this.#readOn().catch((error) => this.#tellGap(error));
      } catch (error) {
        await this.#rest(error);
      }
  }

  stop(): void {
    this.#isStopped = true;
    this.move();
  }

  /** To be called when `nextRead` was moved. */
  move(): void {
    this.#moves += 1;
    this.#parts.watcher.wake(this.#follower);
    this.#room.resolve();
  }

  /** To be called when `nextRead` may have become another place, since something was sent. */
  onRoom(): void {
    this.#room.resolve();
    const { nextRead } = this.#reading;
    if (nextRead && this.#waitsAt && isBefore(nextRead, this.#waitsAt))
      this.#parts.watcher.wake(this.#follower);
  }

  async #readOn(): Promise<void> {
    const { log, watcher } = this.#parts;
    this.#room = Promise.withResolvers();
    const [{ nextRead: from, line }, moves] = [this.#reading, this.#moves];
    if (from === undefined || watcher.isStopped) return await this.#room.promise;
    await eventLoop.next(worker);
    const page = await log.read(from === 'start' ? from : { line, ...from }, readAtOnce);
    const isEnd = page.entries.length === 0 && !page.more;
    const news = isEnd ? await this.#await(from, page) : page;
    const isWanted = news && (await this.#select(news.entries));
    if (isWanted && this.#moves === moves) this.#reading.take(from, news, isWanted);
  }

  async #await(from: Spot, { end }: LogPage): Promise<LogPage | undefined> {
    this.#waitsAt = from;
    // Where the watcher is, entries may have been removed that this receiver has: the next read of the log tells.
    const news = await this.#parts.watcher.next(end, this.#follower).catch(() => 'behind' as const);
    this.#waitsAt = undefined;
    return typeof news === 'string' ? undefined : news;
  }

  /** @throws any error but those of a gap */
  async #tellGap(error: unknown): Promise<void> {
    const reason = error instanceof DomainError && gapReasons[error.code as keyof typeof gapReasons];
    if (!reason) throw error;
    const { end } = await this.#parts.log.read('now', 1);
    this.#reading.onGap(reason, end);
  }

  async #rest(error: unknown): Promise<void> {
    const { clock, onProblem } = this.#parts;
    if (this.#isStopped) return;
    onProblem(`webhooks to ${this.#reading.receiver.id} wait for the change log: ${messageOf(error)}`);
    await new Promise<void>((resolve) => clock.later(resolve, patience));
  }

  /** The entries that the rules let through. */
  async #select(entries: readonly Entry[]): Promise<(entry: Entry) => boolean> {
    const { types, notBy, filter } = this.#reading.receiver;
    const chosen = new Set(entries.filter((entry) => meets(entry, { types, notBy })));
    if (filter === undefined) return (entry) => chosen.has(entry);
    const found = await this.#findMembers([...chosen], filter);
    return (entry) => chosen.has(entry) && found.has(entry.id);
  }

  /** Ids of the groups, and of users of these entries who are members now, or were when they were deleted. */
  async #findMembers(entries: readonly Entry[], groups: readonly string[]): Promise<ReadonlySet<string>> {
    const { store, kinds, log } = this.#parts;
    const ofMembers = entries.filter(({ type }) => type.startsWith(`${kinds.relation?.members.name}.`));
    const ids = [...new Set(ofMembers.map(({ id }) => id))];
    const found = new Set(groups);
    if (ids.length > 0)
      for (const group of groups) for (const id of await store.findMembers(group, ids)) found.add(id);
    for (const entry of ofMembers.filter(({ type }) => type.endsWith('.deleted'))) {
      const { memberships = [] } = (await readEntry(log, entry, this.#reading.line))?.values ?? {};
      if (memberships.some((group) => groups.includes(group))) found.add(entry.id);
    }
    return found;
  }
}
