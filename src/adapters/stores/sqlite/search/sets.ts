/** Makes the set of all users that match a condition, and remembers it until the data changes. */
import { sharedFilters } from '../../../../domain/filters.ts';
import { isExact, matchQuery } from '../index/words.ts';
import { Bitmap } from './bitmap.ts';
import type { Clock } from './clock.ts';
import type { Condition } from './condition.ts';
import { keepMatching } from './found-users.ts';
import { fetchCost, maxRemembered, readAtOnce } from './limits.ts';
import type { Statements } from './statements.ts';

const ofWordsSql =
  'SELECT CAST(group_concat(rowid) AS BLOB) FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?';
const ofFilterSql = `SELECT CAST(group_concat(n) AS BLOB) FROM
  (SELECT n FROM user_keys WHERE filter = ? AND key = ? LIMIT ? OFFSET ?)`;
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
    const bytes = () => [...new Set(this.#remembered.values())].reduce((sum, set) => sum + bytesOf(set), 0);
    for (const name of this.#remembered.keys()) {
      if (bytes() <= maxRemembered) return;
      this.#remembered.delete(name);
    }
  }

  #read(condition: Condition, state: number, clock: Clock): Bitmap {
    if ('all' in condition) return this.#readAll(condition.all, state, clock);
    if ('words' in condition) return this.#readWords(condition, clock);
    const { filter, key } = condition;
    return this.#bitmapOf(
      (from) => this.#statements.numbers(ofFilterSql, [filter, key, readAtOnce, from]),
      clock,
    );
  }

  #readWords(condition: Extract<Condition, { words: unknown }>, clock: Clock): Bitmap {
    const query = matchQuery(condition.words);
    const users = this.#bitmapOf(
      (from) => this.#statements.numbers(ofWordsSql, [query, from, from + readAtOnce - 1]),
      clock,
    );
    return isExact(condition.words) ? users : this.#check(users, condition, clock);
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

  /** How many users a shared key finds; 0 where nothing counts them. */
  #count(condition: Condition): number {
    if (!('filter' in condition) || !sharedFilters.has(condition.filter)) return 0;
    return this.#statements.get<number>(countOfKeySql, [condition.filter, condition.key]) ?? 0;
  }

  #check(users: Bitmap, condition: Condition, clock: Clock): Bitmap {
    return Bitmap.of(this.#last(), keepMatching(this.#statements, users.numbers(), condition, clock));
  }

  /** @param read the numbers of the part that begins there */
  #bitmapOf(read: (from: number) => Uint32Array, clock: Clock): Bitmap {
    const last = this.#last();
    function* lists() {
      for (let from = 0; from <= last; from += readAtOnce) {
        clock.check();
        yield read(from);
      }
    }
    return Bitmap.of(last, lists());
  }

  #last(): number {
    return this.#statements.get<number | null>(lastNumberSql) ?? 0;
  }
}

const nameOf = (condition: Condition, list?: number): string => `${list ?? ''} ${JSON.stringify(condition)}`;

const bytesOf = ({ users, order }: FoundSet): number => users.bytes + (order?.numbers.byteLength ?? 0);
