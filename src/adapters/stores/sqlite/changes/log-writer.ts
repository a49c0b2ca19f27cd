/** Adds entries to the change log and removes them. All methods are called within transactions that hold the write lock. */

import { type Change, withoutNames } from '../../../../domain/changes/change.ts';
import { PruningRange, type Retention } from '../../../../domain/changes/log.ts';
import { idsOf } from '../../../../domain/changes/member-changes.ts';
import { isFilling } from '../../../../domain/changes/moves.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import { newMark } from '../../../system/clock-and-ids.ts';
import type { Connection } from '../file/connection.ts';
import { addSql, columnsOf, type LogState, lastSql, stateSql } from './tables.ts';
import { bytesOfRow, bytesOfSweptRow, idsIn, UserRows } from './user-rows.ts';

/**
 * The most entries, bytes and rows of users that leave the log in one transaction: some 5 ms, because freed pages are overwritten. An entry
 * with the most ids is removed at once.
 */
const [removedAtOnce, bytesAtOnce, userRowsAtOnce] = [500, 2 ** 20, 1_000];

/** The part that all entries of a transaction share. */
interface Transaction {
  readonly isOn: boolean;
  readonly mark: string;
  readonly at: number;
  /** The running total at the last entry. */
  bytes: number;
}

/** The part of a change of members that the rows of users need. */
export interface Concerned {
  /** Members who stayed when all were replaced: they get no rows. */
  readonly stayed: readonly string[];
  /** The number of members who get rows by the sweep. */
  readonly left: number;
}

const noOne: Concerned = { stayed: [], left: 0 };

/** The numbers of the entries of one write, from the one that replaces all members on, if there is one. */
export interface Appended {
  readonly first: number;
  readonly last: number;
}

interface OldEntry {
  readonly number: number;
  readonly mark: string;
  readonly at: number;
  readonly bytes: number;
}

function prepareStatements(db: Connection) {
  const old = 'SELECT number, mark, at, bytes FROM change_log WHERE number > @above';
  const first = `ORDER BY number LIMIT ${removedAtOnce}`;
  return {
    state: db.prepare<[], LogState>(stateSql),
    lastBytes: db.prepare<[], number>('SELECT bytes FROM change_log ORDER BY number DESC LIMIT 1').pluck(),
    add: db.prepare(addSql),
    erase: db.prepare(
      'UPDATE change_log SET personal = NULL WHERE id = ? AND kind = ? AND personal IS NOT NULL',
    ),
    details: db.prepare<[string, string], { number: number; detail: string }>(
      'SELECT number, detail FROM change_log WHERE id = ? AND kind = ? AND detail IS NOT NULL',
    ),
    setDetail: db.prepare('UPDATE change_log SET detail = ? WHERE number = ?'),
    countErasure: db.prepare('UPDATE change_log_state SET erased = erased + 1'),
    erased: db.prepare<[], number>('SELECT erased FROM change_log_state').pluck(),
    isPending: db.prepare<[], number>('SELECT erased > purged FROM change_log_state').pluck(),
    settle: db.prepare('UPDATE change_log_state SET purged = max(purged, ?)'),
    hasEarlier: db
      .prepare<[], number>(
        'SELECT 1 FROM change_log WHERE number <= (SELECT began FROM change_log_state) LIMIT 1',
      )
      .pluck(),
    oldest: db.prepare<[{ above: number }], OldEntry>(`${old} ${first}`),
    past: db.prepare<[{ above: number; to: number; now: number }], OldEntry>(
      `${old} AND number <= @to AND at <= @now ${first}`,
    ),
    last: db.prepare<[], number>(`SELECT ${lastSql}`).pluck(),
    detail: db.prepare<[number], string | null>('SELECT detail FROM change_log WHERE number = ?').pluck(),
    remove: db.prepare('DELETE FROM change_log WHERE number <= ?'),
    leave: db.prepare(
      'UPDATE change_log_state SET removed_number = @number, removed_mark = @mark WHERE removed_number < @number',
    ),
  };
}

export class LogWriter {
  readonly users: UserRows;
  readonly #sql: ReturnType<typeof prepareStatements>;
  #transaction: Transaction | undefined;
  /** Whether `sweep` has entries of earlier lines to remove. */
  hasEarlier: boolean;
  /** Whether an earlier process left erasures incomplete. */
  readonly hasErased: boolean;
  readonly #historyRange = new PruningRange();
  readonly #feedRange = new PruningRange();
  /** The number of erasures that the current round completes. */
  #purging = 0;

  readonly #members: Kind;

  /** @param members the kind of members, whose histories have entries of groups */
  constructor(db: Connection, members: Kind) {
    this.#members = members;
    this.#sql = prepareStatements(db);
    this.users = new UserRows(db);
    this.hasEarlier = this.#sql.hasEarlier.get() !== undefined;
    this.hasErased = this.#sql.isPending.get() === 1;
  }

  /** Another process may switch it between transactions. */
  get isOn(): boolean {
    return this.#current.isOn;
  }

  /** @param actor as JSON */
  append(changes: readonly Change[], actor: string, concerned = noOne): Appended {
    const current = this.#current;
    const stays = new Set(concerned.stayed);
    const numbers: number[] = [];
    current.bytes += bytesOfSweptRow * concerned.left;
    for (const change of changes) {
      const users = idsOf(change).filter((user) => !stays.has(user));
      const { columns, bytes } = columnsOf(change, actor);
      current.bytes += bytes + bytesOfRow * users.length;
      const added = this.#sql.add.run(null, current.mark, current.at, current.bytes, ...columns);
      const number = Number(added.lastInsertRowid);
      numbers.push(number);
      this.users.addAll(number, users);
    }
    const ending = changes.findIndex(({ whole }) => whole);
    return { first: numbers[Math.max(0, ending)] ?? 0, last: numbers.at(-1) ?? 0 };
  }

  /** @param isOfRow whether the resource is removed as well, which leaves values in the file @returns whether there was anything to erase */
  erase(kind: Kind, id: string, isOfRow = false): boolean {
    const hadNames = this.#eraseNames(kind, id);
    const hadGroups = kind === this.#members && this.users.erase(id);
    const isErased = this.#sql.erase.run(id, kind.name).changes > 0 || hadNames || hadGroups || isOfRow;
    if (isErased) this.#sql.countErasure.run();
    return isErased;
  }

  /** @returns whether there were names */
  #eraseNames(kind: Kind, id: string): boolean {
    const mayHave = ({ detail }: { readonly detail: string }) =>
      kind.maps.some((map) => detail.includes(`"${map}/`));
    const found = kind.maps.length > 0 ? this.#sql.details.all(id, kind.name).filter(mayHave) : [];
    for (const { number, detail } of found)
      this.#sql.setDetail.run(JSON.stringify(withoutNames(kind, JSON.parse(detail))), number);
    return found.length > 0;
  }

  /** Begins a round, which completes all erasures before it. */
  beginPurge(): void {
    this.#purging = this.#sql.erased.get() ?? 0;
  }

  settlePurge(): void {
    this.#sql.settle.run(this.#purging);
  }

  /** One step. @returns whether there is more to remove */
  prune({ now, feedFrom, historyFrom, maxBytes }: Retention): boolean {
    if (!this.isOn) return false;
    const { began, number: left } = this.#sql.state.get() ?? { began: 0, number: 0 };
    const total = this.#sql.lastBytes.get() ?? 0;
    const oldest = this.#oldestBehind(began);
    const [first = { number: 0 }] = oldest;
    const history = this.#expiredIn(this.#historyRange, first.number - 1, now, historyFrom);
    const end = history.expired.at(-1)?.number ?? 0;
    const due = takeWhile(oldest, ({ number, bytes }) => number <= end || total - bytes >= maxBytes);
    const leaving = this.#remove(due);
    const { expired, isLeft } = this.#expiredIn(this.#feedRange, Math.max(left, began), now, feedFrom);
    for (const { number, mark } of [...leaving.slice(-1), ...expired.slice(-1)])
      this.#sql.leave.run({ number, mark });
    const mayBeMore = leaving.length < due.length || (due.length > 0 && due.length === oldest.length);
    return mayBeMore || expired.length === removedAtOnce || isLeft || history.isLeft;
  }

  #expiredIn(ranges: PruningRange, behind: number, now: number, from: number) {
    const range = ranges.from(behind);
    return ranges.read(range, this.#sql.past.all({ ...range, now }), from, this.#sql.last.get() ?? 0);
  }

  /** Removes some entries of earlier lines. False when there are none. */
  sweep(): boolean {
    const { began } = this.#sql.state.get() ?? { began: 0 };
    const oldest = this.#oldestBehind(0);
    const some = takeWhile(oldest, ({ number }) => number <= began);
    const removed = this.#remove(some);
    this.hasEarlier = removed.length < some.length || (some.length > 0 && some.length === oldest.length);
    return some.length > 0;
  }

  /** Removes the entries with the rows of their users. @returns those of them for which one transaction has time */
  #remove(entries: readonly OldEntry[]): readonly OldEntry[] {
    let left = userRowsAtOnce;
    const removed = takeWhile(entries, ({ number }) => {
      if (left <= 0) return false;
      const ids = idsIn(this.#sql.detail.get(number) ?? null);
      const { count, isAll } = this.users.removeOf(number, ids, left);
      left -= count;
      return isAll;
    });
    this.#sql.remove.run(removed.at(-1)?.number ?? 0);
    return removed;
  }

  /** The number of entries that one transaction may remove. */
  #oldestBehind(behind: number): readonly OldEntry[] {
    const some = this.#sql.oldest.all({ above: behind });
    const [{ bytes: begin } = { bytes: 0 }] = some;
    return takeWhile(some, ({ bytes }) => bytes - begin < bytesAtOnce);
  }

  /** To be called at the end of a transaction. */
  forget(): void {
    this.#transaction = undefined;
  }

  get #current(): Transaction {
    if (this.#transaction) return this.#transaction;
    const { line } = this.#sql.state.get() ?? {};
    this.#transaction = {
      isOn: typeof line === 'string' && !isFilling(line),
      mark: newMark(),
      at: Date.now(),
      bytes: this.#sql.lastBytes.get() ?? 0,
    };
    return this.#transaction;
  }
}

function takeWhile<T>(list: readonly T[], isTaken: (item: T) => boolean): readonly T[] {
  const end = list.findIndex((item) => !isTaken(item));
  return end < 0 ? list : list.slice(0, end);
}
