/** Makes the set of a condition's matches, and remembers it until the data changes. */

import { type Condition, matchAll, matchesAll } from '../../../../domain/find/conditions.ts';
import type { FilterName } from '../../../../domain/find/filters.ts';
import { byMember, byOwner } from '../../../../domain/find/owners.ts';
import type { Term } from '../../../../domain/find/search.ts';
import { isExact, matchQuery } from '../layout/words.ts';
import { Bitmap, type FoundSet, RememberedSets } from './found-sets.ts';
import { IndexScan, rangesOf, rangesOfKeys } from './index-scan.ts';
import { matchesSql, type Range } from './sql.ts';
import type { Statements } from './statements.ts';

/** To fetch a row, for its sort keys or for a test, takes as long as to scan so many entries of an index: 5 µs against 0.35. */
export const fetchCost = 15;

/** Numbers that one statement reads into a set, a power of two: 0.2 to 0.5 s. FTS5 reads each list from its beginning, so smaller steps take longer. */
const readAtOnce = 2 ** 20;

/** In bytes, of the sets that a thread remembers. A set of ten million users takes 1.2 MiB. */
const maxRemembered = 16 * 2 ** 20;

interface Words {
  readonly words: readonly Term[];
}

export class Sets {
  readonly #statements: Statements;
  readonly #sql: ReturnType<typeof matchesSql>;
  readonly #remembered = new RememberedSets(maxRemembered);

  constructor(statements: Statements) {
    this.#statements = statements;
    this.#sql = matchesSql(statements.tables);
  }

  /** @param list the number of a list that is read in batches, whose set is kept when the data changes */
  find(condition: Condition, list?: number): FoundSet | undefined {
    this.#remembered.enter(this.#statements.state);
    const kept = list === undefined ? undefined : this.#remembered.find(nameOf(condition, list));
    if (kept) return kept;
    const found = this.#remembered.find(nameOf(condition));
    if (found !== undefined && list !== undefined)
      this.#remembered.keep(nameOf(condition, list), found, true);
    return found;
  }

  make(condition: Condition, list?: number): FoundSet {
    const made = { resources: this.#read(condition), state: this.#statements.state };
    this.remember(condition, list, made);
    return made;
  }

  /** To be called again when the set has been sorted. */
  remember(condition: Condition, list: number | undefined, set: FoundSet): void {
    if (set.state === this.#statements.state) this.#remembered.keep(nameOf(condition), set);
    if (list !== undefined) this.#remembered.keep(nameOf(condition, list), set, true);
  }

  /** The number of matches; if it is above `most`, any number above it. */
  count(condition: Condition, most: number): number {
    const stored = this.#statements.countOf(condition);
    if (stored !== undefined) return stored;
    const known = this.find(condition);
    if (known !== undefined) return known.resources.size;
    // Counted without the resources that a negation matches.
    if ('not' in condition)
      return (this.#statements.countOf(matchAll) ?? 0) - this.count(condition.not, Number.POSITIVE_INFINITY);
    const resources = this.#read(condition, most);
    if (resources.size <= most)
      this.#remembered.keep(nameOf(condition), { resources, state: this.#statements.state });
    return resources.size;
  }

  /** The matches; if these are more than `most`, only some of them, but more than `most`. */
  #read(condition: Condition, most = Number.POSITIVE_INFINITY): Bitmap {
    return Bitmap.of(this.#last(), this.#partsOf(condition, Math.min(readAtOnce, most + 1)), most);
  }

  /** The numbers of the matches, in lists. With alternatives a number may be in several lists. A list may end after `atOnce` numbers. */
  *#partsOf(condition: Condition, atOnce: number): Generator<Iterable<number>> {
    if (matchesAll(condition)) yield* this.#partsOfRanges(rangesOf({}, this.#statements.tables), atOnce);
    else if ('all' in condition) yield this.#readAll(condition.all).numbers();
    else if ('not' in condition) yield this.#readAll([condition]).numbers();
    else if ('exists' in condition) yield* this.#partsOfExistence(condition.exists, atOnce);
    else if ('any' in condition) yield* this.#partsOfAny(condition.any, atOnce);
    else if ('words' in condition) yield* this.#partsOfWords([condition], atOnce);
    else if ('sort' in condition)
      yield* this.#partsOfRanges(
        rangesOfKeys({ sort: { by: condition.sort } }, condition, this.#statements.tables),
        atOnce,
      );
    else if ('id' in condition) yield this.#statements.numbers(this.#sql.ofId, [condition.id]);
    else if (condition.filter === byMember)
      yield this.#statements.numbers(this.#sql.ofMember, [condition.key]);
    else {
      const { filter, key } = condition;
      yield* this.#readInParts(this.#sql.ofFilter, (from) => [filter, key, atOnce, from]);
    }
  }

  *#partsOfExistence(filter: FilterName, atOnce: number): Generator<Iterable<number>> {
    if (filter === byOwner) return yield* this.#readInParts(this.#sql.ofMembers, (from, to) => [from, to]);
    if (filter === byMember) return yield this.#statements.numbers(this.#sql.ofOwners, []);
    for (let from = 0; ; from += atOnce) {
      const part = this.#statements.numbers(this.#sql.ofExistence, [filter, atOnce, from]);
      yield part;
      if (part.length < atOnce) return;
      this.#statements.assertInTime();
    }
  }

  *#partsOfRanges(ranges: readonly Range[], atOnce: number): Generator<Iterable<number>> {
    const scan = new IndexScan(this.#statements, ranges);
    for (let part = scan.next(atOnce); part.length > 0; part = scan.next(atOnce)) {
      yield part;
      this.#statements.assertInTime();
    }
  }

  /** One full-text query finds the resources of all words, because most of them have several. */
  *#partsOfAny(conditions: readonly Condition[], atOnce: number): Generator<Iterable<number>> {
    const byWords: Words[] = [];
    for (const one of conditions)
      if ('words' in one && !matchesAll(one) && isExact(one.words)) byWords.push(one);
      else yield* this.#partsOf(one, atOnce);
    if (byWords.length > 0) yield* this.#partsOfWords(byWords, atOnce);
  }

  /** @param alternatives exact ones, if there are several */
  *#partsOfWords(alternatives: readonly Words[], atOnce: number): Generator<Iterable<number>> {
    const query = alternatives.map(({ words }) => `(${matchQuery(words)})`).join(' OR ');
    const inexact = alternatives.find(({ words }) => !isExact(words));
    const limit = inexact === undefined ? atOnce : readAtOnce;
    const parts = this.#readInParts(this.#sql.ofWords, (from, to) => [query, from, to, limit]);
    if (inexact === undefined) yield* parts;
    else for (const part of parts) yield* this.#statements.keepMatching(part, inexact);
  }

  /**
   * The largest sets come last: if few resources are left by then, these are tested one by one, which is cheaper. Negations follow: what they
   * leave out is taken away from the others.
   */
  #readAll(conditions: readonly Condition[]): Bitmap {
    const counted = conditions.map((condition) => {
      const negated = 'not' in condition ? condition.not : undefined;
      return { condition, negated, count: this.#count(negated ?? condition) };
    });
    counted.sort(
      (one, other) =>
        Number(one.negated !== undefined) - Number(other.negated !== undefined) || one.count - other.count,
    );
    let resources: Bitmap | undefined;
    for (const [at, { condition, negated, count }] of counted.entries()) {
      if (resources !== undefined && fetchCost * resources.size < count)
        return this.#check(resources, { all: counted.slice(at).map((left) => left.condition) });
      const next = this.#setOf(negated ?? condition);
      if (negated !== undefined) resources = (resources ?? this.#setOf(matchAll)).without(next);
      else resources = resources === undefined ? next : resources.and(next);
    }
    return resources ?? Bitmap.of(0, []);
  }

  #setOf(condition: Condition): Bitmap {
    return (this.find(condition) ?? this.make(condition)).resources;
  }

  /** An upper bound of the number of matches, from stored counts; 0 without one. */
  #count(condition: Condition): number {
    if ('any' in condition) return condition.any.reduce((sum, one) => sum + this.#count(one), 0);
    if ('all' in condition) return Math.min(...condition.all.map((one) => this.#count(one)));
    if ('not' in condition) return this.#statements.countOf(matchAll) ?? 0;
    return 'filter' in condition ? (this.#statements.countOf(condition) ?? 0) : 0;
  }

  #check(resources: Bitmap, condition: Condition): Bitmap {
    return Bitmap.of(this.#last(), this.#statements.keepMatching(resources.numbers(), condition));
  }

  /** @param valuesOf the values of the statement for one part */
  *#readInParts(
    sql: string,
    valuesOf: (from: number, to: number) => readonly (string | number)[],
  ): Generator<Uint32Array> {
    const last = this.#last();
    for (let from = 0; from <= last; from += readAtOnce) {
      this.#statements.assertInTime();
      yield this.#statements.numbers(sql, valuesOf(from, from + readAtOnce - 1));
    }
  }

  #last(): number {
    return this.#statements.get<number | null>(this.#sql.lastNumber) ?? 0;
  }
}

const nameOf = (condition: Condition, list?: number): string => `${list ?? ''} ${JSON.stringify(condition)}`;
