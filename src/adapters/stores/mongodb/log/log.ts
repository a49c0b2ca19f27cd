/** Reads the change log: from the primary, and only entries that a majority has. */

import type { ClientSession, Filter, FindCursor } from 'mongodb';
import { type Entry, maxPageLength, type Place, withValues } from '../../../../domain/changes/change.ts';
import {
  assertReadable,
  type ChangeLog,
  type Cursor,
  historyStart,
  type LogPage,
  type LogSize,
  type OfRequests,
  pageOf,
  type Retention,
  type Start,
  type Subject,
} from '../../../../domain/changes/log.ts';
import { narrowTo } from '../../../../domain/changes/member-changes.ts';
import { isFilling, type LogMoves } from '../../../../domain/changes/moves.ts';
import { DomainError, isCode } from '../../../../domain/validation/errors.ts';
import type { Database } from '../connection/database.ts';
import { toWriteError } from '../connection/driver-errors.ts';
import type { Operations } from '../connection/operations.ts';
import { assertKnownLayout } from '../layout/layout-number.ts';
import {
  type EntryDocument,
  type LogCollections,
  lockLog,
  logOf,
  readEntry,
  readState,
  type ShownEntry,
  shownEntry,
  subjectOf,
} from './entries.ts';
import { eraseValues } from './erasing.ts';
import { findLeft } from './leavers.ts';
import { mongoMoves } from './moves.ts';
import { Pruning } from './pruning.ts';
import { EntrySizes } from './sizes.ts';
import { toIdKey } from './users.ts';

interface State {
  readonly line: string;
  readonly end: Place;
  /** The place of the last entry that left the feed. */
  readonly begin: Place;
  /** The layout number of the database. */
  readonly layout: number | undefined;
}

/** With its length in the page. */
interface Read {
  readonly entry: Entry;
  readonly length: number;
}

function readWhole(document: ShownEntry): Read {
  return { entry: readEntry(document), length: document.entry.length + (document.values?.length ?? 0) };
}

/** As the history of one of its users shows it. */
function readFor(user: string, { values, ...document }: ShownEntry): Read {
  const narrowed = narrowTo(readEntry(document), user);
  const length = JSON.stringify(narrowed).length + (values?.length ?? 0);
  return { entry: withValues(narrowed, values), length };
}

/** At least two, since the first may be the place where a page begins. @returns `more` if others follow */
async function take(documents: FindCursor<ShownEntry>, limit: number, read: (one: ShownEntry) => Read) {
  const found: Entry[] = [];
  let length = 0;
  for await (const document of documents) {
    if (found.length === limit || (length >= maxPageLength && found.length > 1)) return { found, more: true };
    const one = read(document);
    found.push(one.entry);
    length += one.length;
  }
  return { found, more: false };
}

export class MongoLog implements ChangeLog {
  readonly #database: Database;
  readonly #log: LogCollections;
  readonly #operations: Operations;
  readonly #sizes: EntrySizes;
  readonly #pruning: Pruning;
  readonly moves: LogMoves;

  constructor(database: Database, operations: Operations) {
    this.#database = database;
    this.#log = logOf(database);
    this.#operations = operations;
    const { maxTimeMS } = database.limits;
    this.#sizes = new EntrySizes(this.#log, maxTimeMS);
    this.#pruning = new Pruning(this.#log, this.#sizes, maxTimeMS);
    this.moves = mongoMoves(database, operations, (run) => this.#write(run));
  }

  async read(after: Start, limit: number): Promise<LogPage> {
    const read = () => this.#read(after, limit);
    try {
      return await this.#operations.readLatest(read);
    } catch (error) {
      if (!isCode(error, 'cursor-foreign')) throw error;
      // A deposed primary that doesn't know it yet lacks the newest entries.
      return await this.#operations.readConfirmed(read);
    }
  }

  async history(limit: number, before?: Cursor, of?: Subject | OfRequests): Promise<LogPage> {
    const { limits } = this.#database;
    return await this.#operations.readLatest(async () => {
      const sized = { sort: { _id: -1 }, limit: limit + 1, batchSize: limit + 2 } as const;
      const options = { ...limits, ...sized, projection: shownEntry };
      const entries = this.#log.entries.find(await this.#filterOf(limit + 1, before, of), options);
      const read = (one: ShownEntry): Read =>
        of === undefined || 'requests' in of || one.of === subjectOf(of.kind, of.id)
          ? readWhole(one)
          : readFor(of.id, one);
      const { found, more } = await take(entries, limit, read);
      const start = historyStart(await this.#placeOf('now'), before);
      return pageOf(found, start, more);
    });
  }

  /** Selects the entries of a history: each part by an index in the order of the page. */
  async #filterOf(limit: number, before?: Cursor, of?: Subject | OfRequests): Promise<Filter<EntryDocument>> {
    const { limits, kinds } = this.#database;
    const older = before && { _id: { $lt: before.number } };
    if (of && 'requests' in of) return { ...older, request: { $in: [...of.requests].map(toIdKey) } };
    const own = { ...older, ...(of && { of: subjectOf(of.kind, of.id) }) };
    if (of === undefined || of.kind !== kinds.relation.members.name) return own;
    const left = await findLeft(this.#log, of.id, before?.number, { ...limits, limit });
    return { $or: [own, { ...older, users: toIdKey(of.id) }, { _id: { $in: [...left] } }] };
  }

  async latest(): Promise<number> {
    return await this.#operations.readLatest(async () => (await this.#readState()).end.number);
  }

  async measure(): Promise<LogSize> {
    const { limits } = this.#database;
    return await this.#operations.readLatest(async () => {
      const options = { ...limits, sort: { _id: 1 }, projection: { at: 1 } } as const;
      const [oldest, bytes, { end }] = await Promise.all([
        this.#log.entries.findOne<Pick<EntryDocument, 'at'>>({}, options),
        this.#sizes.sum(),
        this.#readState(),
      ]);
      return { last: end.number, oldest: oldest?.at, bytes };
    });
  }

  async prune(retention: Retention): Promise<boolean> {
    return await this.#operations.readLatest(async () => {
      const { begin, end, layout } = await this.#readState();
      assertKnownLayout(layout);
      return await this.#pruning.step(retention, begin, end);
    });
  }

  async erase({ kind, id }: Subject): Promise<boolean> {
    const { limits, kinds } = this.#database;
    return await this.#write(async (session) => {
      const options = { ...limits, session };
      await lockLog(this.#log, options);
      return await eraseValues(this.#log, { kind: kinds.of(kind), id }, kinds, options);
    });
  }

  #write<T>(run: (session: ClientSession) => Promise<T>): Promise<T> {
    return this.#operations.write(async () => {
      try {
        return await this.#database.transactions.run(run);
      } catch (cause) {
        throw toWriteError(cause);
      }
    });
  }

  async #read(after: Start, limit: number): Promise<LogPage> {
    const { limits } = this.#database;
    const start = typeof after === 'string' ? await this.#placeOf(after) : after;
    const sized = { sort: { _id: 1 }, limit: limit + 2, batchSize: limit + 3 } as const;
    const options = { ...limits, ...sized, projection: { ...shownEntry, values: 0 } };
    const entries = this.#log.entries.find({ _id: { $gte: start.number } }, options);
    const { found, more } = await take(entries, limit + 1, readWhole);
    // Read after the entries, since entries that have left the feed meanwhile may be missing.
    const { line, begin } = await this.#readState();
    if (typeof after === 'string' && start.number < begin.number) return await this.#read(after, limit);
    assertReadable(start, line, begin, (number) => found.find((one) => one.number === number)?.mark);
    const behind = found.filter(({ number }) => number > start.number);
    return pageOf(behind.slice(0, limit), start, more || behind.length > limit);
  }

  async #placeOf(start: 'start' | 'now'): Promise<Cursor> {
    const { line, begin, end } = await this.#readState();
    return { line, ...(start === 'start' ? begin : end) };
  }

  /** @throws DomainError `unavailable` while the log is switched off */
  async #readState(): Promise<State> {
    const { counter, begin } = await readState(this.#log, this.#database.limits);
    if (typeof counter?.line !== 'string')
      throw new DomainError('unavailable', 'The change log is switched off.');
    const { line, number, mark, layout } = counter;
    // The counter names no entry of a log that is being filled.
    return { line, end: isFilling(line) ? begin : { number, mark }, begin, layout };
  }
}
