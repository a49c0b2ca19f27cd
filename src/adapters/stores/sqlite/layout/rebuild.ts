/**
 * Rebuilds the derived rows of a kind if they were made by other rules, or another program has added or removed resources. Each page of rows is a
 * transaction. An interrupted rebuild continues after the last one, and several processes share the work. No process of the service writes
 * meanwhile (`makeReleaseCheck`). Declared indexes that come and go are built in the background instead (building.ts).
 */

import {
  type FilterKey,
  isUniqueRule,
  makeSameKeys,
  parkedName,
  parseKeyRules,
} from '../../../../domain/find/keys.ts';
import { byOwner } from '../../../../domain/find/owners.ts';
import { DuplicateKeys } from '../../port/duplicate-keys.ts';
import type { Connection } from '../file/connection.ts';
import { isConflict, isFull } from '../file/sqlite-errors.ts';
import { parseBuilding, planBuilding } from './building.ts';
import { IndexRows, printSorts } from './index-rows.ts';
import { assertNotNewerRules, currentRules, readRules, writeRules } from './layout.ts';
import { type AllTables, createDerived, dropDerived, type Relation, type Tables } from './tables.ts';

/** Rows in one transaction: the WAL stays short, and other processes get their turn. */
const pageSize = 500;

/** In ms. */
const progressInterval = 10_000;

interface Row {
  readonly n: number;
  readonly id: string;
  readonly document: string;
}

/** Ends the memberships of resources that another program has removed. The groups of such members get another version. */
const endMemberships = ({ owners, members }: Relation): string => `
  UPDATE ${owners.rows} SET revision = revision + 1
    WHERE members IN (SELECT members FROM memberships WHERE n NOT IN (SELECT n FROM ${members.rows}));
  DELETE FROM memberships WHERE n NOT IN (SELECT n FROM ${members.rows});
  UPDATE member_sets SET is_dropped = 1
    WHERE members NOT IN (SELECT members FROM ${owners.rows} WHERE members IS NOT NULL);`;

/** The rebuild of one kind. Each method is called within a transaction. */
class Rebuild {
  readonly #db: Connection;
  readonly #tables: Tables;
  /** The number of the last finished row follows it. */
  readonly #begun: string;

  constructor(db: Connection, tables: Tables) {
    this.#db = db;
    this.#tables = tables;
    this.#begun = `${currentRules(tables.kind)} `;
  }

  /** Does nothing if the rebuild isn't needed, or has begun. Only plans what the background does. @throws Error if resources share a key that must be unique */
  begin(): void {
    const { kind, relation, rows } = this.#tables;
    assertNotNewerRules(this.#db, kind);
    const found = readRules(this.#db, kind);
    const ours = currentRules(kind);
    if (found.startsWith(this.#begun)) return;
    // Keys that are no longer unique are counted.
    const isUnique = (index: string) => kind.keyRules.indexes.includes(index);
    const areUnique = parseKeyRules(found).indexes.filter(isUniqueRule).every(isUnique);
    const isWhole = areUnique && makeSameKeys(found, ours) && this.#isWhole();
    if (isWhole && found === ours) return;
    const building = planBuilding(found, kind, () => this.#count());
    if (building && this.#isWhole()) {
      writeRules(this.#db, kind, building);
      return;
    }
    this.#assertUnique();
    if (isWhole) {
      writeRules(this.#db, kind, ours);
      return;
    }
    if (parseKeyRules(found).mapping !== kind.keyRules.mapping) this.#mapNames();
    if (relation.owners.rows === rows || relation.members.rows === rows)
      this.#db.exec(endMemberships(relation));
    this.#db.exec(dropDerived(this.#tables) + createDerived(this.#tables));
    writeRules(this.#db, kind, `${this.#begun}0`);
  }

  /** @returns the number of the page's last row; undefined when all rows are finished */
  rebuildPage(): number | undefined {
    const { kind } = this.#tables;
    const found = readRules(this.#db, kind);
    if (found === currentRules(kind) || parseBuilding(found, currentRules(kind))) return undefined;
    if (!found.startsWith(this.#begun)) throw new Error('another release has changed the file since');
    const page = this.#pageAfter(Number(found.slice(this.#begun.length)));
    this.#put(page);
    const last = page.at(-1)?.n;
    writeRules(this.#db, kind, last === undefined ? currentRules(kind) : `${this.#begun}${last}`);
    return last;
  }

  describeProgress(last: number): string {
    const { rows, kind } = this.#tables;
    const done = this.#number(`SELECT count(*) FROM ${rows} WHERE n <= ?`, last);
    const total = this.#count();
    return `The indexes of the ${kind.plural} are rebuilt: ${done} of ${total}.`;
  }

  #number(sql: string, ...values: number[]): number {
    return Number(this.#db.prepare(sql).pluck().get(values));
  }

  #count(): number {
    return this.#number(`SELECT count(*) FROM ${this.#tables.rows}`);
  }

  #isWhole(): boolean {
    const { rows, counts } = this.#tables;
    const sql = `SELECT NOT EXISTS (SELECT 1 FROM ${rows} WHERE search IS NULL) AND
      (SELECT count(*) FROM ${rows}) = ifnull((SELECT count FROM ${counts} WHERE filter = '' AND key = ''), 0)`;
    return this.#number(sql) === 1;
  }

  #assertUnique(): void {
    const { kind, read } = this.#tables;
    const duplicates = new DuplicateKeys(kind);
    if (kind.uniqueFilters.length > 0)
      do for (const { id, document } of this.#allRows()) duplicates.add(read(document), id);
      while (duplicates.beginSecond());
    duplicates.assertNone();
  }

  *#allRows(): Generator<Row> {
    for (let page = this.#pageAfter(0); page.length > 0; page = this.#pageAfter(page.at(-1)?.n ?? 0))
      yield* page;
  }

  #pageAfter(n: number): Row[] {
    const { rows, documentColumn } = this.#tables;
    const sql = `SELECT n, id, ${documentColumn(rows)} AS document
                 FROM ${rows} WHERE n > ? ORDER BY n LIMIT ?`;
    return this.#db.prepare<[number, number], Row>(sql).all(n, pageSize);
  }

  /** @throws Error that names a row when two names have become the same one */
  #mapNames(): void {
    const { kind, rows, read } = this.#tables;
    // A new name may still be another's old name, so all get a placeholder first.
    this.#db.prepare(`UPDATE ${rows} SET name_key = ? || id`).run(parkedName(''));
    const rename = this.#db.prepare(`UPDATE ${rows} SET name_key = ? WHERE n = ?`);
    for (const { n, id, document } of this.#allRows())
      try {
        rename.run(kind.makeKeysOf(id, read(document)).name, n);
      } catch (cause) {
        if (!isConflict(cause)) throw cause;
        const name = `the ${kind.unique.member} of ${kind.name} ${id}`;
        throw new Error(`${name} is now the same as another's; rename one first`, { cause });
      }
  }

  #put(page: readonly Row[]): void {
    const { kind, rows, read, relation } = this.#tables;
    const index = new IndexRows(this.#db, this.#tables);
    const put = this.#db.prepare(`UPDATE ${rows} SET search = ?, sorts = ?, filters = ? WHERE n = ?`);
    const canBeMember = relation.members.rows === rows;
    const setsOf = canBeMember
      ? this.#db.prepare<[number], number>('SELECT members FROM memberships WHERE n = ?').pluck()
      : undefined;
    for (const { n, id, document } of page) {
      const keys = kind.makeKeysOf(id, read(document));
      const inGroups = (setsOf?.all(n) ?? []).map((set): FilterKey => [byOwner, String(set)]);
      index.change(id, n, undefined, { ...keys, filters: [...keys.filters, ...inGroups] });
      put.run(keys.search, printSorts(this.#tables, keys.sorts), JSON.stringify(keys.filters), n);
    }
    index.finish();
  }
}

/** @param makeRoom called when the disk is full; returns whether there is space now */
export function inTransactionWithRoom<T>(db: Connection, run: () => T, makeRoom: () => boolean): T {
  const transaction = db.transaction(run);
  try {
    return transaction.immediate();
  } catch (cause) {
    if (!isFull(cause) || !makeRoom()) throw cause;
    return transaction.immediate();
  }
}

/**
 * @param onCommit called after each transaction
 * @param onProgress called with a line for the log: at first, every ten seconds, and at the end
 * @param makeRoom called when the disk is full; returns whether there is space now
 * @throws Error when a newer release made the rows, two names have become equal, or resources share a key that must be unique
 */
export function rebuildIfOutdated(
  db: Connection,
  all: AllTables,
  onCommit: () => void,
  onProgress: (line: string) => void,
  makeRoom: () => boolean = () => false,
): void {
  const inTransaction = <T>(run: () => T): T => inTransactionWithRoom(db, run, makeRoom);
  const rebuilds = [...all.values()].map((tables) => ({ tables, rebuild: new Rebuild(db, tables) }));
  inTransaction(() => {
    for (const { rebuild } of rebuilds) rebuild.begin();
  });
  for (const { tables, rebuild } of rebuilds) {
    const step = () => inTransaction(() => rebuild.rebuildPage());
    let told = 0;
    for (let last = step(); last !== undefined; last = step()) {
      onCommit();
      if (told !== 0 && Date.now() - told < progressInterval) continue;
      told = Date.now();
      onProgress(rebuild.describeProgress(last));
    }
    if (told !== 0) onProgress(`The indexes of all ${tables.kind.plural} are rebuilt.`);
  }
}
