/**
 * The statements of lists and counts. CROSS JOIN keeps the order of tables: SQLite, which has no statistics here, could only guess a
 * better one.
 */
import type { Term } from '../../../domain/search.ts';
import { documentColumn } from './stored-document.ts';

export type Pair = readonly [filter: string, key: string];

/** What is asked of a user `u` beside what has led there. */
export interface Residue {
  readonly sql: string;
  readonly values: readonly string[];
  /** True when the user itself has to be looked at, and not only its id in other indexes. */
  readonly asksUser: boolean;
}

export const noResidue: Residue = { sql: '', values: [], asksUser: false };

/** That each of the terms matches, and that the user has each of the filters' keys. @param id of the user, as what has led there has it */
export function residueOf(filters: readonly Pair[], terms: readonly Term[], id = 'u.id'): Residue {
  const anyOf = (term: Term) => `(${term.map(() => 'instr(u.search, ?)').join(' OR ')})`;
  const asksUser = terms.length > 0;
  // By the user's own id the terms are checked first, which fewer match.
  const idOfUser = asksUser ? 'u.id' : id;
  const hasKey = `EXISTS (SELECT 1 FROM user_keys AS o WHERE o.filter = ? AND o.key = ? AND o.user_id = ${idOfUser})`;
  return {
    sql: [...terms.map(anyOf), ...filters.map(() => hasKey)].map((condition) => ` AND ${condition}`).join(''),
    values: [...terms.flat().map(({ pattern }) => pattern), ...filters.flat()],
    asksUser,
  };
}

/** An index that is walked, up or down. Its statements take what `where` asks for, then the place behind which they begin. */
export interface Walk {
  /** The index alone, and with the users that it leads to. */
  readonly index: string;
  readonly users: string;
  /** Of the user, in that index. */
  readonly id: string;
  readonly where: string;
  /** In their order: together they are a place. */
  readonly columns: readonly string[];
  /** Of the sort, where there is one. */
  readonly key?: string;
  readonly descending: boolean;
  /** In front of the first place, and behind the last one. */
  readonly ends: readonly [before: readonly string[], behind: readonly string[]];
}

/** Before and behind every id. */
const behindIds = '\u{10ffff}'.repeat(40);
const idEnds = [[''], [behindIds]] as const;

export const allUsers = (descending: boolean): Walk => ({
  index: 'users AS u',
  users: 'users AS u',
  id: 'u.id',
  where: '1',
  columns: ['u.id'],
  descending,
  ends: idEnds,
});

export const usersOfFilter = (descending: boolean): Walk => ({
  index: 'user_keys AS k',
  users: 'user_keys AS k CROSS JOIN users AS u ON u.id = k.user_id',
  id: 'k.user_id',
  where: 'k.filter = ? AND k.key = ?',
  columns: ['k.user_id'],
  descending,
  ends: idEnds,
});

const sortKeys = {
  key: 'k.key',
  index: 'sort_keys AS k',
  users: 'sort_keys AS k CROSS JOIN users AS u ON u.id = k.id',
  id: 'k.id',
};

/** Those without a key for the sort, by their ids. */
export const usersWithoutKey = (descending: boolean): Walk => ({
  ...sortKeys,
  where: "k.sort = ? AND k.key = ''",
  columns: ['k.id'],
  descending,
  ends: idEnds,
});

/** No key is as long. */
const behindKeys = '\u{10ffff}'.repeat(200);

export const usersByKey = (descending: boolean): Walk => ({
  ...sortKeys,
  where: 'k.sort = ?',
  columns: ['k.key', 'k.id'],
  descending,
  ends: [
    ['', behindIds],
    [behindKeys, ''],
  ],
});

const row = (columns: readonly string[]): string =>
  columns.length === 1 ? String(columns[0]) : `(${columns})`;
const places = ({ columns }: Walk): string => row(columns.map(() => '?'));
const order = ({ columns, descending }: Walk): string =>
  columns.map((column) => `${column} ${descending ? 'DESC' : 'ASC'}`).join();

/** That a user stands behind a place. */
const behind = (walk: Walk): string =>
  `${walk.where} AND ${row(walk.columns)} ${walk.descending ? '<' : '>'} ${places(walk)}`;

/** That a user stands between two places, the second one included, and matches. */
const within = (walk: Walk, residue: Residue): string =>
  `${behind(walk)} AND ${row(walk.columns)} ${walk.descending ? '>=' : '<='} ${places(walk)}${residue.sql}`;

/** Up to `?` of those within, after `?` that are passed over unread. */
export const pageSql = (walk: Walk, residue: Residue): string =>
  `SELECT ${documentColumn('u', walk.key)} FROM ${walk.users} WHERE ${within(walk, residue)}
    ORDER BY ${order(walk)} LIMIT ? OFFSET ?`;

/** How many are within: from indexes alone where they know. @param residue by the id of the walk */
export const countWithinSql = (walk: Walk, residue: Residue): string =>
  `SELECT count(*) FROM ${residue.asksUser ? walk.users : walk.index} WHERE ${within(walk, residue)}`;

/** The numbers of the next so many in the order of a key. */
export const nextNumbersSql = (walk: Walk): string =>
  `SELECT k.n FROM ${walk.index} WHERE ${behind(walk)} ORDER BY ${order(walk)} LIMIT ?`;

/** By the user's number: what it is sorted by. */
export const sortsSql = 'SELECT id, sorts FROM users WHERE n = ?';
export const hasSortKeySql = 'SELECT 1 FROM sort_keys WHERE sort = ? AND key = ? AND id = ? AND n = ?';

/** The place of the last one of so many; none when fewer are left. */
export const stepEndSql = (walk: Walk): string =>
  `SELECT ${walk.columns} FROM ${walk.index} WHERE ${behind(walk)}
    ORDER BY ${order(walk)} LIMIT 1 OFFSET ?`;

/** Those of a block who may match an FTS5 query, by their numbers. */
export const matchedSql = 'SELECT rowid FROM words WHERE words MATCH ? AND rowid > ? LIMIT ?';
export const countMatchedSql = 'SELECT count(*) FROM words WHERE words MATCH ?';
export const countMatchedUpToSql = 'SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)';
/** One that no user ever had is not there. */
export const sharedKeySql = 'SELECT number, users FROM shared_keys WHERE filter = ? AND key = ?';
/** What was counted in a block holds as long as this stands. */
export const blockChangesSql = 'SELECT block, changes FROM word_blocks';

export const idsOfFilterSql =
  'SELECT user_id FROM user_keys WHERE filter = ? AND key = ? AND user_id > ? ORDER BY user_id LIMIT ?';
export const countFilterUpToSql =
  'SELECT count(*) FROM (SELECT 1 FROM user_keys WHERE filter = ? AND key = ? LIMIT ?)';

/** Candidates are given as a list of numbers or ids in JSON. */
const candidates = (by: 'n' | 'id', residue: Residue): string =>
  `json_each(?) AS c CROSS JOIN users AS u ON u.${by} = c.value WHERE 1${residue.sql}`;
export const matchingSql = (by: 'n' | 'id', residue: Residue): string =>
  `SELECT u.id, u.sorts FROM ${candidates(by, residue)}`;
export const countMatchingSql = (by: 'n' | 'id', residue: Residue): string =>
  `SELECT count(*) FROM ${candidates(by, residue)}`;

/** Of one user: takes the key that it stands under, if any, and the id. */
export const documentSql = (residue: Residue): string =>
  `SELECT ${documentColumn('u', '?')} AS document, u.sorts FROM users AS u WHERE u.id = ?${residue.sql}`;
export const totalSql = 'SELECT users FROM totals';
export const lastNumberSql = 'SELECT max(n) FROM users';
