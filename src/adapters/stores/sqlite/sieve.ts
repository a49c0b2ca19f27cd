/**
 * Finds the next ones in an order among many candidates who stand far behind: a bit for each candidate, against which the index of
 * the order is held. Users are passed without a look at them.
 */
import type { Candidates, Effort, Lead, Steps } from './candidates.ts';
import { Pace } from './pace.ts';
import { hasSortKeySql, lastNumberSql, nextNumbersSql, sortsSql } from './query-sql.ts';
import { keyIn } from './search-rows.ts';
import type { Statements } from './statements.ts';
import { findStepEnd, isAtEnd, type Stretch } from './stretches.ts';

/** Users that are passed in the first step and in any. */
const [firstPassed, mostPassed] = [5_000, 20_000];

/** As many are passed in the time that it takes to look at one. */
const costOfLook = 5;

export class Sieve {
  readonly #statements: Statements;
  readonly #bits: Uint32Array;
  readonly #pace = new Pace(firstPassed, mostPassed);

  private constructor(statements: Statements, bits: Uint32Array) {
    this.#statements = statements;
    this.#bits = bits;
  }

  /** @param lead of the index of words */
  static *make(statements: Statements, candidates: Candidates, lead: Lead): Steps<Sieve> {
    const last = statements.get<number | null>(lastNumberSql) ?? 0;
    const bits = new Uint32Array((last >>> 5) + 1);
    for (const numbers of candidates.numbers(lead)) {
      for (const n of numbers) if (n <= last) bits[n >>> 5] = (bits[n >>> 5] as number) | (1 << (n & 31));
      yield;
    }
    return new Sieve(statements, bits);
  }

  /** What is left from the next candidate on, or from somebody who has come since. */
  *pass(stretches: readonly Stretch[], effort: Effort): Steps<readonly Stretch[]> {
    for (const [at, stretch] of stretches.entries())
      for (let place: Place | undefined = stretch.from; place !== undefined; ) {
        const { users } = this.#pace;
        effort.add(users / costOfLook);
        const from: Place = place;
        const { found, end } = this.#pace.measure(() => this.#look(stretch, from, users));
        if (found !== undefined) return [{ ...stretch, from: found }, ...stretches.slice(at + 1)];
        place = end;
        yield;
      }
    return [];
  }

  /** At so many: the numbers and the place of one of them have to be of the same state. */
  #look(
    stretch: Stretch,
    place: Place,
    users: number,
  ): { found?: Place | undefined; end?: Place | undefined } {
    return this.#statements.readTogether(() => {
      const values = [...stretch.values, ...place, users];
      const numbers = this.#statements.all<number>(nextNumbersSql(stretch.walk), values);
      const at = numbers.findIndex((n) => this.#has(n));
      if (at >= 0) return { found: at === 0 ? place : findStepEnd(this.#statements, stretch, place, at) };
      const last = numbers.length < users ? undefined : numbers.at(-1);
      return last === undefined ? {} : { end: this.#findEnd(stretch, place, users, last) };
    });
  }

  /** The user itself says where it stands, which takes no way past those before it. @param last number of so many */
  #findEnd(stretch: Stretch, place: Place, users: number, last: number): Place | undefined {
    const [sort = ''] = stretch.values;
    const user = this.#statements.get<{ id: string; sorts: string | null }>(sortsSql, [last]);
    const key = keyIn(user?.sorts ?? null, Number(sort)) ?? '';
    if (this.#statements.get(hasSortKeySql, [sort, key, user?.id ?? '', last]) === undefined)
      return findStepEnd(this.#statements, stretch, place, users);
    const end = stretch.walk.columns.length === 1 ? [user?.id ?? ''] : [key, user?.id ?? ''];
    return isAtEnd(end, stretch) ? undefined : end;
  }

  #has(n: number): boolean {
    const bits = this.#bits[n >>> 5];
    return bits === undefined || (bits & (1 << (n & 31))) !== 0;
  }
}

type Place = readonly string[];
