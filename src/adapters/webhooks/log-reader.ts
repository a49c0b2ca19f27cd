/** Reads the change log for one receiver: its feed until it is up to date, then the news that the watcher of the log gives to each waiting reader. */
import type { Entry, Place } from '../../domain/changes/change.ts';
import type { ChangeFilter } from '../../domain/changes/filter.ts';
import type { ChangeLog, Cursor, LogPage } from '../../domain/changes/log.ts';
import type { Access } from '../../domain/find/access.ts';
import type { Kinds } from '../../domain/kinds.ts';
import type { Principal } from '../../domain/ports.ts';
import type { Store } from '../../domain/store.ts';
import type { Changes } from '../../domain/use-cases/feed.ts';
import { DomainError } from '../../domain/validation/errors.ts';
import type { ChangeWatcher, Follower } from '../change-watcher/change-watcher.ts';
import { eventLoop } from '../scheduler/event-loop.ts';
import { messageOf } from '../system/errors.ts';
import { type GapReason, gapReasons } from './message.ts';
import { isBefore, type Spot } from './partitions.ts';
import type { Receiver } from './receivers.ts';
import { worker } from './sender.ts';

const readAtOnce = 100;

/** In ms: the time after which the log is read again when it was unavailable. */
export const patience = 1000;

const inTurn = async <T>(read: () => Promise<T>): Promise<T> => {
  await eventLoop.next(worker);
  return await read();
};

export interface LogParts {
  readonly log: Pick<ChangeLog, 'history'>;
  readonly changes: Changes;
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

/** The user of the reader. */
interface Reading {
  readonly receiver: Receiver;
  /** The access that the receiver's profile gives. */
  readonly access: Access | undefined;
  readonly line: string;
  /** Undefined while there is enough to send. */
  readonly nextRead: Spot | undefined;
  /** @param page the entries that the receiver wants, as it sees them */
  take(from: Spot, page: LogPage): void;
  /** The place is no longer in the log. @param from its end */
  onGap(reason: GapReason, from: Cursor): void;
}

/** A receiver follows the log as a client would that has the profile. */
const clientWith = (access: Access | undefined): Principal => ({
  ...{ id: worker, scopes: new Set(['changes:read'] as const), access },
});

export const findEnd = async ({ changes }: Pick<LogParts, 'changes'>, access?: Access): Promise<Cursor> =>
  (await changes.feed(clientWith(access), { since: 'now', limit: 1, filter: {} }, inTurn)).end;

type Known = Place & Pick<Entry, 'type' | 'id'>;

/** The page of the history that begins with the entry, if that is still kept. */
const findInHistory = ({ log }: LogParts, { type, id, number }: Known, line: string): Promise<LogPage> =>
  log.history(1, { line, number: number + 1, mark: '' }, { kind: type.slice(0, type.indexOf('.')), id });

/** An entry with the values that the receiver sees; undefined if it isn't kept any more. */
export async function readEntry(
  parts: LogParts,
  { access, line }: Pick<Reading, 'access' | 'line'>,
  known: Known,
): Promise<Entry | undefined> {
  const page = await findInHistory(parts, known, line);
  const query = { since: { ...known, line }, filter: {} };
  const [entry] = (await parts.changes.view(clientWith(access), page, query, inTurn)).entries;
  return entry?.number === known.number && entry.mark === known.mark ? entry : undefined;
}

export class LogReader {
  readonly #parts: LogParts;
  readonly #reading: Reading;
  readonly #follower: Follower = { wakeAt: Number.POSITIVE_INFINITY };
  #isStopped = false;
  #waitsAt: Spot | undefined;
  #room = Promise.withResolvers<void>();

  /** Begins at once. */
  constructor(parts: LogParts, reading: Reading) {
    [this.#parts, this.#reading] = [parts, reading];
    void this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped)
      try {
        await this.#readOn().catch((error) => this.#tellGap(error));
      } catch (error) {
        await this.#rest(error);
      }
  }

  /** Drops the result of a read in progress. */
  stop(): void {
    this.#isStopped = true;
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
    const { changes, watcher } = this.#parts;
    this.#room = Promise.withResolvers();
    const { nextRead: from, line, access } = this.#reading;
    if (from === undefined || watcher.isStopped) return await this.#room.promise;
    const client = clientWith(access);
    const since = from === 'start' ? from : { ...from, line };
    const page = await changes.feed(client, { since, limit: readAtOnce, filter: this.#filter }, inTurn);
    await this.#take(from, page);
    if (this.#isStopped || isBefore(from, page.end)) return;
    const news = await this.#await(from, page.end);
    if (news === undefined) return;
    const query = { since: page.end, filter: this.#filter };
    await this.#take(from, await changes.view(client, news, query, inTurn));
  }

  get #filter(): ChangeFilter {
    const { types, notBy } = this.#reading.receiver;
    return { types, notBy };
  }

  async #await(from: Spot, end: Cursor): Promise<LogPage | undefined> {
    this.#waitsAt = from;
    // The entries that follow for this receiver may have been removed already, though the watcher is further: the next read of the log finds out.
    const news = await this.#parts.watcher.next(end, this.#follower).catch(() => 'behind' as const);
    this.#waitsAt = undefined;
    return typeof news === 'string' ? undefined : news;
  }

  /** @throws any error but those of a gap */
  async #tellGap(error: unknown): Promise<void> {
    const reason = error instanceof DomainError && gapReasons[error.code as keyof typeof gapReasons];
    if (!reason) throw error;
    const end = await findEnd(this.#parts, this.#reading.access);
    if (!this.#isStopped) this.#reading.onGap(reason, end);
  }

  async #rest(error: unknown): Promise<void> {
    const { clock, onProblem } = this.#parts;
    if (this.#isStopped) return;
    onProblem(`webhooks to ${this.#reading.receiver.id} wait for the change log: ${messageOf(error)}`);
    await new Promise<void>((resolve) => clock.later(resolve, patience));
  }

  /** Without what concerns none of the receiver's groups. */
  async #take(from: Spot, { entries, ...page }: LogPage): Promise<void> {
    const { filter } = this.#reading.receiver;
    const found = filter && (await this.#findMembers(entries, filter));
    const wanted = entries.filter(({ id }) => found?.has(id) !== false);
    if (!this.#isStopped) this.#reading.take(from, { ...page, entries: wanted });
  }

  /**
   * Ids of the groups, and of users of these entries who are members now, or were when they were deleted. A user who was erased, or was in more
   * groups than the log keeps, counts as a member: the receiver may have the user.
   */
  async #findMembers(entries: readonly Entry[], groups: readonly string[]): Promise<ReadonlySet<string>> {
    const { store, kinds } = this.#parts;
    const ofMembers = entries.filter(({ type }) => type.startsWith(`${kinds.relation?.members.name}.`));
    const ids = [...new Set(ofMembers.map(({ id }) => id))];
    const found = new Set(groups);
    if (ids.length > 0)
      for (const group of groups) for (const id of await store.findMembers(group, ids)) found.add(id);
    for (const entry of ofMembers.filter(({ type }) => type.endsWith('.deleted'))) {
      const [deletion] = (await findInHistory(this.#parts, entry, this.#reading.line)).entries;
      if (deletion?.type !== entry.type) continue;
      const { memberships = groups } = deletion.values ?? {};
      if (memberships.some((group) => groups.includes(group))) found.add(entry.id);
    }
    return found;
  }
}
