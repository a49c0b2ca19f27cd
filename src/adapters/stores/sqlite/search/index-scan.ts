/** Reads users along the ranges of an index, in their order. */
import { placeAt } from './found-rows.ts';
import { countSql, documentsSql, numbersSql, placeSql, type Range, valuesOf } from './ranges.ts';
import type { Statements } from './statements.ts';

export class IndexScan {
  readonly #statements: Statements;
  #ranges: readonly Range[];
  /** The number of the last user of the first range that was read. */
  #last: number | undefined;

  constructor(statements: Statements, ranges: readonly Range[]) {
    this.#statements = statements;
    this.#ranges = ranges;
  }

  /** The numbers of the next users, `count` at most; none at the end. */
  next(count: number): Uint32Array {
    for (;;) {
      const [found, ...rest] = this.#ranges;
      if (found === undefined) return new Uint32Array();
      const range = this.#last === undefined ? found : this.#behindUser(found, this.#last);
      const numbers = this.#statements.numbers(numbersSql(range), [...valuesOf(range), count]);
      const last = numbers.at(-1);
      const isMore = last !== undefined && numbers.length === count;
      this.#last = isMore ? last : undefined;
      this.#ranges = isMore ? [range, ...rest] : rest;
      if (last !== undefined) return numbers;
    }
  }

  /** The user's own row tells its place without a way through the index. */
  #behindUser(range: Range, last: number): Range {
    const [sort = -1] = range.values;
    const { id, key = '' } = placeAt(this.#statements, last, Number(sort));
    return { ...range, after: range.columns.length === 1 ? [id] : [key, id] };
  }

  /** The range behind `count` entries; the range itself when it has fewer. */
  #behind(range: Range, count: number): Range {
    const place = this.#statements.get<string>(placeSql(range), [...valuesOf(range), count - 1]);
    return place === undefined ? range : { ...range, after: JSON.parse(place) };
  }

  /** As `next`, of all ranges. */
  take(count: number): number[] {
    const numbers: number[] = [];
    while (numbers.length < count) {
      const some = this.next(count - numbers.length);
      if (some.length === 0) break;
      numbers.push(...some);
    }
    return numbers;
  }

  /** Passes over so many entries; to be called before any read. */
  skip(count: number): void {
    let left = count;
    while (left > 0) {
      const [range, ...rest] = this.#ranges;
      if (range === undefined) return;
      const start = this.#behind(range, left);
      if (start !== range) this.#ranges = [start, ...rest];
      if (start !== range) return;
      left -= this.#statements.get<number>(countSql(range), valuesOf(range)) ?? 0;
      this.#ranges = rest;
    }
  }

  /** The documents of the next users, `limit` at most; in the place of `next`. */
  documents(limit: number): string[] {
    const documents: string[] = [];
    for (const range of this.#ranges) {
      const values = [...valuesOf(range), limit - documents.length];
      documents.push(...this.#statements.all<string>(documentsSql(this.#statements.tables, range), values));
      if (documents.length >= limit) break;
    }
    return documents;
  }
}
