/** Makes the set of a condition's matches, and remembers it until the data changes. */

import { type Condition, type KeyRange, matchesAll } from '../../../../domain/find/conditions.ts';
import { byMember } from '../../../../domain/find/owners.ts';
import type { Term } from '../../../../domain/find/search.ts';
import type { Tables } from '../layout/tables.ts';
import { isExact, matchQuery } from '../layout/words.ts';
import { Bitmap } from './bitmap.ts';
import { setsOfMember } from './condition.ts';
import { keepMatching } from './found-rows.ts';
import { IndexScan, rangesOfKeys } from './index-scan.ts';
import { type Clock, fetchCost, maxRemembered, readAtOnce } from './limits.ts';
import { type FoundSet, RememberedSets } from './remembered-sets.ts';
import type { Statements } from './statements.ts';

const sqlOf = ({ rows, words, keys, relation }: Tables) => ({
  ofWords: `SELECT CAST(group_concat(n) AS BLOB) FROM
    (SELECT rowid AS n FROM ${words} WHERE ${words} MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?)`,
  ofFilter: `SELECT CAST(group_concat(n) AS BLOB) FROM
    (SELECT n FROM ${keys} WHERE filter = ? AND key = ? LIMIT ? OFFSET ?)`,
  ofAll: `SELECT CAST(group_concat(n) AS BLOB) FROM ${rows} WHERE n BETWEEN ? AND ?`,
  /** The groups of a user. */
  ofMember: `SELECT CAST(group_concat(g.n) AS BLOB) FROM ${rows} AS g WHERE g.members IN ${setsOfMember(relation)}`,
  ofId: `SELECT CAST(n AS BLOB) FROM ${rows} WHERE id = ?`,
  lastNumber: `SELECT max(n) FROM ${rows}`,
});

interface Words {
  readonly words: readonly Term[];
}

interface Reading {
  readonly state: number;
  readonly clock: Clock;
  /** Of a larger list, so many numbers are enough. */
  readonly atOnce: number;
}

export class Sets {
  readonly #statements: Statements;
  readonly #sql: ReturnType<typeof sqlOf>;
  readonly #remembered = new RememberedSets(maxRemembered);

  constructor(statements: Statements) {
    this.#statements = statements;
    this.#sql = sqlOf(statements.tables);
  }

  /** @param list number of the list that is being read, whose set is kept when the data changes @param state of the data */
  find(condition: Condition, list: number | undefined, state: number): FoundSet | undefined {
    this.#remembered.enter(state);
    const kept = list === undefined ? undefined : this.#remembered.find(nameOf(condition, list));
    if (kept) return kept;
    const found = this.#remembered.find(nameOf(condition));
    if (found !== undefined && list !== undefined)
      this.#remembered.keep(nameOf(condition, list), found, true);
    return found;
  }

  make(condition: Condition, list: number | undefined, state: number, clock: Clock): FoundSet {
    const made = { users: this.#read(condition, state, clock), state };
    this.remember(condition, list, made, state);
    return made;
  }

  /** Again when the set was sorted. */
  remember(condition: Condition, list: number | undefined, set: FoundSet, state: number): void {
    if (set.state === state) this.#remembered.keep(nameOf(condition), set);
    if (list !== undefined) this.#remembered.keep(nameOf(condition, list), set, true);
  }

  /** How many match; where these are more than `most`, any number above it. */
  count(condition: Condition, most: number, state: number, clock: Clock): number {
    const stored = this.#statements.countOf(condition);
    if (stored !== undefined) return stored;
    const known = this.find(condition, undefined, state);
    if (known !== undefined) return known.users.size;
    const users = this.#read(condition, state, clock, most);
    if (users.size <= most) this.#remembered.keep(nameOf(condition), { users, state });
    return users.size;
  }

  /** Where these are more than `most`, only some of them, and more than `most`. */
  #read(condition: Condition, state: number, clock: Clock, most = Number.POSITIVE_INFINITY): Bitmap {
    const reading = { state, clock, atOnce: Math.min(readAtOnce, most + 1) };
    return Bitmap.of(this.#last(), this.#partsOf(condition, reading), most);
  }

  /** The numbers of the users, in lists; those of alternatives may be in several. A list may end after `atOnce`. */
  *#partsOf(condition: Condition, reading: Reading): Generator<Iterable<number>> {
    const { state, clock, atOnce } = reading;
    const upTo = (from: number): number => from + readAtOnce - 1;
    if (matchesAll(condition)) yield* this.#readInParts(clock, this.#sql.ofAll, (from) => [from, upTo(from)]);
    else if ('all' in condition) yield this.#readAll(condition.all, state, clock).numbers();
    else if ('any' in condition) yield* this.#partsOfAny(condition.any, reading);
    else if ('words' in condition) yield* this.#partsOfWords([condition], reading);
    else if ('sort' in condition) yield* this.#partsOfRange(condition, reading);
    else if ('id' in condition) yield this.#statements.numbers(this.#sql.ofId, [condition.id]);
    else if (condition.filter === byMember)
      yield this.#statements.numbers(this.#sql.ofMember, [condition.key]);
    else {
      const { filter, key } = condition;
      yield* this.#readInParts(clock, this.#sql.ofFilter, (from) => [filter, key, atOnce, from]);
    }
  }

  *#partsOfRange(range: KeyRange, { clock, atOnce }: Reading): Generator<Iterable<number>> {
    const { tables } = this.#statements;
    const scan = new IndexScan(this.#statements, rangesOfKeys({ sort: { by: range.sort } }, range, tables));
    for (let part = scan.next(atOnce); part.length > 0; part = scan.next(atOnce)) {
      yield part;
      clock.check();
    }
  }

  /** FTS5 finds the users of all words at once: most users have several of the words. */
  *#partsOfAny(conditions: readonly Condition[], reading: Reading): Generator<Iterable<number>> {
    const byWords: Words[] = [];
    for (const one of conditions)
      if ('words' in one && !matchesAll(one) && isExact(one.words)) byWords.push(one);
      else yield* this.#partsOf(one, reading);
    if (byWords.length > 0) yield* this.#partsOfWords(byWords, reading);
  }

  /** @param alternatives each exact where there are several */
  *#partsOfWords(alternatives: readonly Words[], { clock, atOnce }: Reading): Generator<Iterable<number>> {
    const query = alternatives.map(({ words }) => `(${matchQuery(words)})`).join(' OR ');
    const inexact = alternatives.find(({ words }) => !isExact(words));
    const limit = inexact === undefined ? atOnce : readAtOnce;
    const parts = this.#readInParts(clock, this.#sql.ofWords, (from) => [
      query,
      from,
      from + readAtOnce - 1,
      limit,
    ]);
    if (inexact === undefined) yield* parts;
    else for (const part of parts) yield* keepMatching(this.#statements, part, inexact, clock);
  }

  /** Sets that must be read whole come last: by then few users may be left, which are cheaper to check one by one. */
  #readAll(conditions: readonly Condition[], state: number, clock: Clock): Bitmap {
    const counted = conditions.map((condition) => ({ condition, count: this.#count(condition) }));
    counted.sort((one, other) => one.count - other.count);
    let users: Bitmap | undefined;
    for (const [at, { condition, count }] of counted.entries()) {
      if (users !== undefined && fetchCost * users.size < count)
        return this.#check(users, { all: counted.slice(at).map((left) => left.condition) }, clock);
      const next: Bitmap = (
        this.find(condition, undefined, state) ?? this.make(condition, undefined, state, clock)
      ).users;
      users = users === undefined ? next : users.and(next);
    }
    return users ?? Bitmap.of(0, []);
  }

  /** An upper bound of the number of users, if there is a stored count. */
  #count(condition: Condition): number {
    if ('any' in condition) return condition.any.reduce((sum, one) => sum + this.#count(one), 0);
    if ('all' in condition) return Math.min(...condition.all.map((one) => this.#count(one)));
    return 'filter' in condition ? (this.#statements.countOf(condition) ?? 0) : 0;
  }

  #check(users: Bitmap, condition: Condition, clock: Clock): Bitmap {
    return Bitmap.of(this.#last(), keepMatching(this.#statements, users.numbers(), condition, clock));
  }

  /** @param valuesOf those of the statement for the part that begins there */
  *#readInParts(
    clock: Clock,
    sql: string,
    valuesOf: (from: number) => readonly (string | number)[],
  ): Generator<Uint32Array> {
    const last = this.#last();
    for (let from = 0; from <= last; from += readAtOnce) {
      clock.check();
      yield this.#statements.numbers(sql, valuesOf(from));
    }
  }

  #last(): number {
    return this.#statements.get<number | null>(this.#sql.lastNumber) ?? 0;
  }
}

const nameOf = (condition: Condition, list?: number): string => `${list ?? ''} ${JSON.stringify(condition)}`;
