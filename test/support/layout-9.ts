/** Files of release 1.0, whose layout was 9, made from those of this build. */
import Database from 'better-sqlite3';

interface Answer {
  readonly layout: number;
  /** The rows of the histories of users. */
  readonly rows: readonly unknown[];
  readonly swept: readonly unknown[];
}

const layoutMask = 2 ** 14 - 1;

const versionOf = (db: Database.Database): number => Number(db.pragma('user_version', { simple: true }));

/** Of a file that no process has open. */
export function toLayout9(file: string): void {
  const db = new Database(file);
  db.exec(`
    DROP INDEX change_log_by_request; DROP TABLE change_log_members; DROP TABLE swept_members; DROP TABLE migrations;
    ALTER TABLE member_sets DROP COLUMN ended; ALTER TABLE member_sets DROP COLUMN ended_last;`);
  db.pragma(`user_version = ${versionOf(db) - (versionOf(db) & layoutMask) + 9}`);
  db.close();
}

/** What a migration makes; without rows in an earlier layout. */
export function readLayout(file: string): Answer {
  const db = new Database(file, { readonly: true });
  const layout = versionOf(db) & layoutMask;
  const read = (sql: string) => (layout < 10 ? [] : db.prepare(sql).all());
  const answer = {
    layout,
    rows: read('SELECT hex(user) AS user, number FROM change_log_members ORDER BY user, number'),
    swept: read('SELECT number, hex(user) AS user FROM swept_members ORDER BY number, user'),
  };
  db.close();
  return answer;
}

/** Whether the histories of users who left with a whole list or a group are written; a migration writes them all. */
export const isSwept = (file: string) => (): boolean => {
  const db = new Database(file, { readonly: true });
  const left = db.prepare('SELECT count(*) FROM member_sets WHERE is_dropped').pluck().get();
  db.close();
  return left === 0;
};
