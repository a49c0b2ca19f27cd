/**
 * The tables of the change log, which is one for all kinds. `log-writer.ts` adds entries in the transactions of the writes, and removes
 * expired entries (`stores/pruning.ts` decides when); `log.ts` reads entries.
 *
 * An entry is a row of `change_log`. Numbers are never reused, so entries are in the order of the commits. Values have a column of their own;
 * an erasure sets it to NULL, and removes the names of maps from `detail`. The only row of `change_log_state` changes when entries leave the log, not
 * with each write: a write costs one row and entries of two indexes, and a change of members one more row for each (user-rows.ts).
 */
import type { Change, ChangeOp, Place } from '../../../../domain/changes/change.ts';
import { newMark } from '../../../system/clock-and-ids.ts';
import type { Connection } from '../file/connection.ts';
import { createUserRows } from './user-rows.ts';

/** The id of the request as the index has it: 16 bytes. */
export const requestSql = "unhex(actor ->> 'request', '-')";

export const createRequestIndex = `CREATE INDEX change_log_by_request ON change_log (${requestSql});`;

export const createLog = `
  CREATE TABLE change_log (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    mark TEXT NOT NULL,
    at INTEGER NOT NULL,
    -- An estimate for this entry and all before it, as written: a running total, of which only differences matter.
    bytes INTEGER NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    op TEXT NOT NULL,
    version TEXT,
    actor TEXT NOT NULL,
    -- Pointers and members of the entry, as JSON.
    detail TEXT,
    personal TEXT
  );
  CREATE INDEX change_log_by_resource ON change_log (id, kind);
  CREATE TABLE change_log_state (
    -- NULL while the log is switched off.
    line TEXT,
    -- The last entry of earlier lines; these entries are removed in steps.
    began INTEGER NOT NULL,
    -- The last entry that left the feed.
    removed_number INTEGER NOT NULL,
    removed_mark TEXT NOT NULL,
    -- The number of erasures, and of those that have left nothing in the file and its WAL.
    erased INTEGER NOT NULL,
    purged INTEGER NOT NULL
  );
  INSERT INTO change_log_state VALUES (NULL, 0, 0, '', 0, 0);
  ${createRequestIndex}
  ${createUserRows}`;

/** The columns `actor`, `detail` and `personal` hold JSON. */
export interface EntryRow extends Place {
  readonly at: number;
  readonly kind: string;
  readonly id: string;
  readonly op: ChangeOp;
  readonly version: string | null;
  readonly actor: string;
  readonly detail: string | null;
  /** Not read for the feed. */
  readonly personal?: string | null;
}

/** The first parameters are `number`, which is null for the next one, `mark`, `at` and `bytes`; `columnsOf` has the others. */
export const addSql = `
  INSERT INTO change_log (number, mark, at, bytes, kind, id, op, version, actor, detail, personal)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** An estimate of the bytes of an entry besides its texts. */
const bytesOfEntry = 80;

/** With an estimate of the bytes of the row. @param actor as JSON */
export function columnsOf({ type, id, version, values, ...rest }: Change, actor: string) {
  const dot = type.indexOf('.');
  const detail = Object.keys(rest).length > 0 ? JSON.stringify(rest) : null;
  const personal = values === undefined ? null : JSON.stringify(values);
  const columns = [type.slice(0, dot), id, type.slice(dot + 1), version ?? null, actor, detail, personal];
  const bytes = columns.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), bytesOfEntry);
  return { columns, bytes };
}

export interface LogState {
  readonly line: string | null;
  readonly began: number;
  readonly number: number;
  readonly mark: string;
}

/** Its `number` and `mark` are those of the last entry that left the feed. */
export const stateSql =
  'SELECT line, began, removed_number AS number, removed_mark AS mark FROM change_log_state';

/** The number of the last entry, even if it has left the log. */
export const lastSql = "ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'change_log'), 0)";

/** Switching the log on begins a new line, to which earlier cursors don't belong. */
export function switchLog(db: Connection, isOn: boolean): void {
  const change = db.transaction(() => {
    const { line } = db.prepare<[], LogState>(stateSql).get() ?? { line: null };
    if ((line !== null) === isOn) return;
    db.prepare(
      `UPDATE change_log_state SET line = ?, began = ${lastSql}, removed_number = ${lastSql}, removed_mark = ''`,
    ).run(isOn ? newMark() : null);
  });
  change.immediate();
}
