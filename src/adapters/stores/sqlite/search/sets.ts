/** Makes the set of all users that match a condition, and remembers it until the data changes. */
import { type Condition, isEverybody } from '../../../../domain/conditions.ts';
import { sharedFilters } from '../../../../domain/filters.ts';
import { isExact, matchQuery } from '../index/words.ts';
import { Bitmap } from './bitmap.ts';
import type { Clock } from './clock.ts';
import { keepMatching } from './found-users.ts';
import { fetchCost, maxRemembered, readAtOnce } from './limits.ts';
import type { Statements } from './statements.ts';

const ofWordsSql =
  'SELECT CAST(group_concat(rowid) AS BLOB) FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?';
const ofFilterSql = `SELECT CAST(group_concat(n) AS BLOB) FROM
  (SELECT n FROM user_keys WHERE filter = ? AND key = ? LIMIT ? OFFSET ?)`;
const ofAllSql = 'SELECT CAST(group_concat(n) AS BLOB) FROM users WHERE n BETWEEN ? AND ?';
const ofIdSql = 'SELECT CAST(n AS BLOB) FROM users WHERE id = ?';
const lastNumberSql = 'SELECT max(n) FROM users';
/** Of all users with the empty filter and key. */
export const countOfKeySql = 'SELECT users FROM counts WHERE filter = ? AND key = ?';

/** A set, as of a state of the data. */
export interface FoundSet {
  readonly users: Bitmap;
  readonly state: number;
  /** All of them in the order of a list, once they were sorted; see pages.ts. */
  order?: { readonly name: string; readonly numbers: Uint32Array };
}

export class Sets {
  readonly #statements: Statements;
  /** The one that was used longest ago comes first. */
  readonly #remembered = new Map<string, FoundSet>();

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** @param list number of the list that is being read, whose set is kept when the data changes @param state of the data */
  find(condition: Condition, list: number | undefined, state: number): FoundSet | undefined {
    const kept = list !== undefined && this.#use(nameOf(condition, list));
    if (kept) return kept;
    const found = this.#use(nameOf(condition));
    if (found?.state !== state) return undefined;
    if (list !== undefined) this.#remembered.set(nameOf(condition, list), found);
    return found;
  }

  make(condition: Condition, list: number | undefined, state: number, clock: Clock): FoundSet {
    const made = { users: this.#read(condition, state, clock), state };
    this.#remembered.set(nameOf(condition), made);
    if (list !== undefined) this.#remembered.set(nameOf(condition, list), made);
    this.forgetOldest();
    return made;
  }

  #use(name: string): FoundSet | undefined {
    const found = this.#remembered.get(name);
    if (found === undefined) return undefined;
    this.#remembered.delete(name);
    this.#remembered.set(name, found);
    return found;
  }

  /** As many as are too many; to be called when a set was sorted, too. */
  forgetOldest(): void {
    const counted = new Set<FoundSet>();
    let bytes = 0;
    for (const [name, set] of [...this.#remembered].reverse()) {
      bytes += 2 * name.length + (counted.has(set) ? 0 : bytesOf(set));
      counted.add(set);
      if (bytes > maxRemembered) this.#remembered.delete(name);
    }
  }

  #read(condition: Condition, state: number, clock: Clock): Bitmap {
    return Bitmap.of(this.#last(), this.#partsOf(condition, state, clock));
  }

  /** The numbers of the users, in lists; those of alternatives may be in several. */
  *#partsOf(condition: Condition, state: number, clock: Clock): Generator<Iterable<number>> {
    const upTo = (from: number): number => from + readAtOnce - 1;
    if (isEverybody(condition)) yield* this.#readInParts(clock, ofAllSql, (from) => [from, upTo(from)]);
    else if ('all' in condition) yield this.#readAll(condition.all, state, clock).numbers();
    else if ('any' in condition) for (const one of condition.any) yield* this.#partsOf(one, state, clock);
    else if ('words' in condition) yield* this.#partsOfWords(condition, clock);
    else if ('id' in condition) yield this.#statements.numbers(ofIdSql, [condition.id]);
    else {
      const { filter, key } = condition;
      yield* this.#readInParts(clock, ofFilterSql, (from) => [filter, key, readAtOnce, from]);
    }
  }

  *#partsOfWords(
    condition: Extract<Condition, { words: unknown }>,
    clock: Clock,
  ): Generator<Iterable<number>> {
    const query = matchQuery(condition.words);
    const parts = this.#readInParts(clock, ofWordsSql, (from) => [query, from, from + readAtOnce - 1]);
    if (isExact(condition.words)) yield* parts;
    else for (const part of parts) yield* keepMatching(this.#statements, part, condition, clock);
  }

  /** What has to be read whole comes last: by then so few may be left that it takes less to look at each of them. */
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

  /** How many users at most, as far as something counts them. */
  #count(condition: Condition): number {
    if ('any' in condition) return condition.any.reduce((sum, one) => sum + this.#count(one), 0);
    if ('all' in condition) return Math.min(...condition.all.map((one) => this.#count(one)));
    if (!('filter' in condition) || !sharedFilters.has(condition.filter)) return 0;
    return this.#statements.get<number>(countOfKeySql, [condition.filter, condition.key]) ?? 0;
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
    return this.#statements.get<number | null>(lastNumberSql) ?? 0;
  }
}

const nameOf = (condition: Condition, list?: number): string => `${list ?? ''} ${JSON.stringify(condition)}`;

const bytesOf = ({ users, order }: FoundSet): number => users.bytes + (order?.numbers.byteLength ?? 0);
