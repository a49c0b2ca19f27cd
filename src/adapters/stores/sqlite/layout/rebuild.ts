/**
 * Rebuilds the derived rows when other rules made them, or another program has added or removed users or groups. A page of them is a
 * transaction, after which the rebuild would continue when it is interrupted; several processes share the work. No process of the service
 * writes meanwhile: see `makeReleaseCheck`.
 */

import { keyRules } from '../../../../domain/at-import.ts';
import { type FilterKey, parkedName, parseKeyRules } from '../../../../domain/find/keys.ts';
import type { Resource } from '../../../../domain/resource/resource.ts';
import { type Connection, isFull, sqliteCode } from '../file/connection.ts';
import { IndexRows } from '../index/index-rows.ts';
import { groupRows, type RowType, sqlFor, userRows } from '../index/row-type.ts';
import { printSorts } from '../index/sort-keys.ts';
import { createDerived, dropDerived } from './layout.ts';
import { assertNotNewerRules, currentRules, readRules, rulesMark } from './rules.ts';

/** In one transaction: the WAL stays short, and other processes get their turn. */
const pageSize = 500;

/** In milliseconds. */
const progressInterval = 10_000;

/** In front of the kind that is being rebuilt, and the number of its last row that is done. */
const begun = `${currentRules} `;

interface Row {
  readonly n: number;
  readonly id: string;
  readonly document: string;
}

const writeMark = (db: Connection, value: string): void =>
  void db.prepare('INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)').run(rulesMark, value);

/** The rows of one kind. */
class Rows<T extends Resource> {
  readonly #db: Connection;
  readonly #type: RowType<T>;

  constructor(db: Connection, type: RowType<T>) {
    this.#db = db;
    this.#type = type;
  }

  #number(sql: string, ...values: number[]): number {
    return Number(this.#db.prepare(sqlFor(this.#type.kind, sql)).pluck().get(values));
  }

  #pageAfter(n: number): Row[] {
    const sql = `SELECT n, id, ${this.#type.documentColumn('users')} AS document
                 FROM users WHERE n > ? ORDER BY n LIMIT ?`;
    return this.#db.prepare<[number, number], Row>(sqlFor(this.#type.kind, sql)).all(n, pageSize);
  }

  get isWhole(): boolean {
    const sql = `SELECT NOT EXISTS (SELECT 1 FROM users WHERE search IS NULL) AND
      (SELECT count(*) FROM users) = ifnull((SELECT users FROM user_counts WHERE filter = '' AND key = ''), 0)`;
    return this.#number(sql) === 1;
  }

  get total(): number {
    return this.#number('SELECT count(*) FROM users');
  }

  countUpTo(n: number): number {
    return this.#number('SELECT count(*) FROM users WHERE n <= ?', n);
  }

  /** @throws Error that names a row when two names have become the same one */
  mapNames(): void {
    const { kind, nameFilter, read } = this.#type;
    // A new name may still be the old one of another: first all get a placeholder.
    this.#db.prepare(sqlFor(kind, 'UPDATE users SET user_name_key = ? || id')).run(parkedName(''));
    const rename = this.#db.prepare(sqlFor(kind, 'UPDATE users SET user_name_key = ? WHERE n = ?'));
    for (let page = this.#pageAfter(0); page.length > 0; page = this.#pageAfter(page.at(-1)?.n ?? 0))
      for (const { n, id, document } of page)
        try {
          rename.run(kind.makeKeysOf(id, read(document)).name, n);
        } catch (cause) {
          if (sqliteCode(cause) !== 'SQLITE_CONSTRAINT_UNIQUE') throw cause;
          const name = `the ${nameFilter} of ${kind.name} ${id}`;
          throw new Error(`${name} is now the same as another's; rename one first`, { cause });
        }
  }

  /** @returns the last row of the page; undefined when all are done */
  rebuildPage(after: number): number | undefined {
    const { kind, read } = this.#type;
    const page = this.#pageAfter(after);
    const rows = new IndexRows(this.#db, this.#type);
    const put = this.#db.prepare(
      sqlFor(kind, 'UPDATE users SET search = ?, sorts = ?, filters = ? WHERE n = ?'),
    );
    const setsOf = this.#db.prepare<[number], number>('SELECT members FROM memberships WHERE n = ?').pluck();
    for (const { n, id, document } of page) {
      const keys = kind.makeKeysOf(id, read(document));
      const sets = kind.name === 'user' ? setsOf.all(n) : [];
      const inGroups = sets.map((set): FilterKey => ['group', String(set)]);
      rows.change(id, n, undefined, { ...keys, filters: [...keys.filters, ...inGroups] });
      put.run(keys.search, printSorts(kind.sortNames, keys.sorts), JSON.stringify(keys.filters), n);
    }
    rows.finish();
    return page.at(-1)?.n;
  }
}

type Kinds = Readonly<Record<'user' | 'group', Pick<Rows<never>, keyof Rows<never>>>>;
const rowsOf = (db: Connection): Kinds => ({ user: new Rows(db, userRows), group: new Rows(db, groupRows) });

/** What another program has left of users and groups that it removed. Members that are gone give their group another version. */
const endMemberships = `
  UPDATE groups SET revision = revision + 1
    WHERE members IN (SELECT members FROM memberships WHERE n NOT IN (SELECT n FROM users));
  DELETE FROM memberships WHERE n NOT IN (SELECT n FROM users);
  UPDATE member_sets SET is_dropped = 1
    WHERE members NOT IN (SELECT members FROM groups WHERE members IS NOT NULL);`;

/** For within a transaction. */
function begin(db: Connection, { user, group }: Kinds): void {
  assertNotNewerRules(db);
  const found = readRules(db);
  if (found.startsWith(begun) || (found === currentRules && user.isWhole && group.isWhole)) return;
  if (parseKeyRules(found).mapping !== keyRules.mapping) for (const rows of [user, group]) rows.mapNames();
  db.exec(endMemberships + dropDerived + createDerived);
  writeMark(db, `${begun}user 0`);
}

interface Progress {
  readonly name: 'user' | 'group';
  readonly last: number;
}

/** For within a transaction. @returns undefined when all are done */
function rebuildPage(db: Connection, kinds: Kinds): Progress | undefined {
  const found = readRules(db);
  if (found === currentRules) return undefined;
  if (!found.startsWith(begun)) throw new Error('another release has changed the file since');
  const [kind, after] = found.slice(begun.length).split(' ');
  const name = kind === 'group' ? 'group' : 'user';
  const last = kinds[name].rebuildPage(Number(after));
  const isLast = last === undefined && name === 'group';
  const next: Progress = last === undefined ? { name: 'group', last: 0 } : { name, last };
  writeMark(db, isLast ? currentRules : `${begun}${next.name} ${next.last}`);
  return isLast ? undefined : next;
}

/**
 * @param onCommit called after each transaction
 * @param onProgress called with a line for the log, at the beginning, every ten seconds, and at the end
 * @param makeRoom called when the disk is full: whether there is space since
 * @throws Error when a newer release made the rows, or two names have become the same one
 */
export function rebuildIfOutdated(
  db: Connection,
  onCommit: () => void,
  onProgress: (line: string) => void,
  makeRoom: () => boolean = () => false,
): void {
  const kinds = rowsOf(db);
  const inTransaction = <T>(run: () => T): T => {
    const transaction = db.transaction(run);
    try {
      return transaction.immediate();
    } catch (cause) {
      if (!isFull(cause) || !makeRoom()) throw cause;
      return transaction.immediate();
    }
  };
  inTransaction(() => begin(db, kinds));
  const step = () => inTransaction(() => rebuildPage(db, kinds));
  let told = 0;
  for (let done = step(); done !== undefined; done = step()) {
    onCommit();
    // The next kind is only begun.
    if (done.last === 0) continue;
    if (told !== 0 && Date.now() - told < progressInterval) continue;
    told = Date.now();
    const { name, last } = done;
    const state = `${kinds[name].countUpTo(last)} of ${kinds[name].total}`;
    onProgress(`The indexes of the ${name}s are rebuilt: ${state}.`);
  }
  if (told !== 0) onProgress('The indexes of all users are rebuilt.');
}
