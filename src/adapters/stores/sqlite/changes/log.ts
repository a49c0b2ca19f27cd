/** Reads the change log, on the main thread: a page of 1,000 entries takes some milliseconds. */

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
import type { LogMoves } from '../../../../domain/changes/moves.ts';
import { DomainError, type KindName } from '../../../../domain/validation/errors.ts';
import type { Connection } from '../file/connection.ts';
import { type MoveWrite, sqliteMoves } from './moves.ts';
import { type EntryRow, type LogState, lastSql, requestSql, stateSql } from './tables.ts';
import { toIdKey } from './user-rows.ts';

const columns = 'number, mark, at, kind, id, op, version, actor, detail';
const selectWhole = `SELECT ${columns}, personal FROM change_log WHERE`;
const newestFirst = 'number > ? AND number < ? ORDER BY number DESC LIMIT ?';

/** An entry takes this many times less if only one of its members is shown: it is parsed, but not printed. */
const narrowing = 4;

/** The numbers of entries in a member's history, and whether they are the member's own. */
const numbersSql = `
  SELECT number, 1 AS isOwn FROM (SELECT number FROM change_log WHERE id = ? AND kind = ? AND ${newestFirst})
  UNION ALL SELECT number, 0 FROM (SELECT number FROM change_log_members WHERE user = ? AND ${newestFirst})
  ORDER BY number DESC LIMIT ?`;

type ReadingState = LogState & { readonly last: number };

function prepareStatements(db: Connection) {
  return {
    state: db.prepare<[], ReadingState>(stateSql.replace(' FROM', `, ${lastSql} AS last FROM`)),
    size: db.prepare<[], LogSize>(
      `SELECT ${lastSql} AS last, oldest.at AS oldest, ifnull(newest.bytes - oldest.bytes, 0) AS bytes
       FROM change_log_state
       LEFT JOIN change_log oldest ON oldest.number = (SELECT min(number) FROM change_log WHERE number > began)
       LEFT JOIN change_log newest ON newest.number = (SELECT max(number) FROM change_log)`,
    ),
    markOf: db.prepare<[number], string>('SELECT mark FROM change_log WHERE number = ?').pluck(),
    end: db.prepare<[], Place>('SELECT number, mark FROM change_log ORDER BY number DESC LIMIT 1'),
    behind: db.prepare<[number, number], EntryRow>(
      `SELECT ${columns} FROM change_log WHERE number > ? ORDER BY number LIMIT ?`,
    ),
    history: db.prepare<[number, number, number], EntryRow>(`${selectWhole} ${newestFirst}`),
    historyOf: db.prepare<[string, string, number, number, number], EntryRow>(
      `${selectWhole} id = ? AND kind = ? AND ${newestFirst}`,
    ),
    numbersOf: db.prepare<unknown[], { readonly number: number; readonly isOwn: number }>(numbersSql),
    numbersOfRequest: db
      .prepare<unknown[], number>(`SELECT number FROM change_log WHERE ${requestSql} = ? AND ${newestFirst}`)
      .pluck(),
    /** Takes the numbers as a JSON array. */
    at: db.prepare<[string], EntryRow>(
      `${selectWhole} number IN (SELECT value FROM json_each(?)) ORDER BY number DESC`,
    ),
  };
}

/** A write to the log alone, which the writer makes. */
export type LogWrite =
  | MoveWrite
  | { readonly op: 'prune'; readonly retention: Retention }
  | { readonly op: 'erase'; readonly of: Subject };

export class SqliteLog implements ChangeLog {
  readonly #sql: ReturnType<typeof prepareStatements>;
  readonly #read: <R>(query: () => R) => R;
  readonly #write: (write: LogWrite) => Promise<boolean>;

  readonly #members: KindName;
  readonly moves: LogMoves;

  /**
   * @param members the kind of members, whose histories have entries of groups
   * @param read runs queries in one transaction
   * @param write sends a write to the writer
   */
  constructor(
    db: Connection,
    members: KindName,
    read: <R>(query: () => R) => R,
    write: (write: LogWrite) => Promise<boolean>,
  ) {
    this.#sql = prepareStatements(db);
    this.#members = members;
    this.#read = read;
    this.#write = write;
    this.moves = sqliteMoves(db, read, write);
  }

  async read(after: Start, limit: number): Promise<LogPage> {
    return this.#read(() => {
      const start = this.#placeOf(after);
      const { entries, more } = take(this.#sql.behind.iterate(start.number, limit + 1), limit);
      return pageOf(entries, start, more);
    });
  }

  async history(limit: number, before?: Cursor, of?: Subject | OfRequests): Promise<LogPage> {
    return this.#read(() => {
      const start = historyStart(this.#placeOf('now'), before);
      const below = before?.number ?? start.number + 1;
      const range = [this.#state().began, below, limit + 1] as const;
      const rows = of && 'requests' in of ? this.#rowsOfRequests(range, of) : this.#historyRows(range, of);
      const { entries, more } = take(rows, limit);
      return pageOf(entries, start, more);
    });
  }

  *#historyRows(range: NumberRange, of: Subject | undefined): Generator<HistoryRow, void> {
    if (of === undefined) return yield* this.#sql.history.iterate(...range);
    if (of.kind !== this.#members) return yield* this.#sql.historyOf.iterate(of.id, of.kind, ...range);
    const [, , limit] = range;
    const numbers = this.#sql.numbersOf.all(of.id, of.kind, ...range, toIdKey(of.id), ...range, limit);
    const others = new Set(numbers.flatMap(({ number, isOwn }) => (isOwn ? [] : number)));
    for (const row of this.#rowsAt(numbers.map(({ number }) => number)))
      yield others.has(row.number) ? { ...row, narrowedTo: of.id } : row;
  }

  #rowsOfRequests(range: NumberRange, { requests }: OfRequests): Iterable<HistoryRow> {
    return this.#rowsAt([...requests].flatMap((id) => this.#sql.numbersOfRequest.all(toIdKey(id), ...range)));
  }

  /** The newest first. */
  #rowsAt(numbers: readonly number[]): Iterable<EntryRow> {
    return this.#sql.at.iterate(JSON.stringify(numbers));
  }

  async latest(): Promise<number> {
    return this.#read(() => this.#state().last);
  }

  async measure(): Promise<LogSize> {
    return this.#read(() => {
      this.#state();
      const { last = 0, oldest, bytes = 0 } = this.#sql.size.get() ?? {};
      return { last, oldest: oldest ?? undefined, bytes };
    });
  }

  prune(retention: Retention): Promise<boolean> {
    return this.#write({ op: 'prune', retention });
  }

  erase(of: Subject): Promise<boolean> {
    return this.#write({ op: 'erase', of });
  }

  /** @throws DomainError `unavailable` while the log is switched off, which any process on the file may do */
  #state(): ReadingState & { readonly line: string } {
    const state = this.#sql.state.get();
    if (typeof state?.line !== 'string')
      throw new DomainError('unavailable', 'The change log is switched off.');
    return { ...state, line: state.line };
  }

  /** @throws DomainError `cursor-expired`, `cursor-foreign` */
  #placeOf(start: Start): Cursor {
    const { line, number, mark } = this.#state();
    if (start === 'start') return { line, number, mark };
    if (start === 'now') {
      const end = this.#sql.end.get();
      return end && end.number > number ? { line, ...end } : { line, number, mark };
    }
    assertReadable(start, line, { number, mark }, (one) => this.#sql.markOf.get(one));
    return start;
  }
}

/** The numbers before the first and after the last row, and the maximum number of rows. */
type NumberRange = readonly [number, number, number];

/** A row; for an entry of another resource, also the user in whose history it stands. */
type HistoryRow = EntryRow & { readonly narrowedTo?: string | undefined };

function take(rows: Iterable<HistoryRow>, limit: number): { entries: readonly Entry[]; more: boolean } {
  const entries: Entry[] = [];
  let length = 0;
  for (const row of rows) {
    if (entries.length === limit || length >= maxPageLength) return { entries, more: true };
    entries.push(entryOf(row));
    const detailLength = row.detail?.length ?? 0;
    length += (row.narrowedTo ? detailLength / narrowing : detailLength) + (row.personal?.length ?? 0);
  }
  return { entries, more: false };
}

function entryOf(row: HistoryRow): Entry {
  const { narrowedTo, personal, kind, op, version, actor, detail, id, number, mark, at } = row;
  const rest: Partial<Entry> = detail === null ? {} : JSON.parse(detail);
  const entry: Entry = {
    ...{ type: `${kind}.${op}`, id, number, mark, at },
    ...(version !== null && { version }),
    ...rest,
    by: JSON.parse(actor),
  };
  return withValues(narrowedTo ? narrowTo(entry, narrowedTo) : entry, personal);
}
