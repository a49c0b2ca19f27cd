/** Reads users along the ranges of an index, in their order. */
import { placeOfUser } from './found-users.ts';
import { countSql, documentsSql, numbersSql, placeSql, type Range, valuesOf } from './ranges.ts';
import type { Statements } from './statements.ts';

const hasSortKeySql = 'SELECT 1 FROM user_sort_keys WHERE sort = ? AND key = ? AND id = ? AND n = ?';

export class IndexScan {
  readonly #statements: Statements;
  #ranges: readonly Range[];
  /** How many users of the first range the last read returned, and the number of the last one. */
  #read: { readonly count: number; readonly last: number } | undefined;

  constructor(statements: Statements, ranges: readonly Range[]) {
    this.#statements = statements;
    this.#ranges = ranges;
  }

  /** The numbers of the next users, `count` at most; none at the end. */
  next(count: number): Uint32Array {
    for (;;) {
      const [found, ...rest] = this.#ranges;
      if (found === undefined) return new Uint32Array();
      const range = this.#read ? this.#behindUser(found, this.#read) : found;
      const numbers = this.#statements.numbers(numbersSql(range), [...valuesOf(range), count]);
      const last = numbers.at(-1);
      const isMore = last !== undefined && numbers.length === count;
      this.#read = isMore ? { count, last } : undefined;
      this.#ranges = isMore ? [range, ...rest] : rest;
      if (last !== undefined) return numbers;
    }
  }

  /** The user's own row tells its place without a way through the index; unless another program wrote something else there. */
  #behindUser(range: Range, { count, last }: { readonly count: number; readonly last: number }): Range {
    const [sort = -1] = range.values;
    const { id, key = '' } = placeOfUser(this.#statements, last, Number(sort));
    const isThere = sort === -1 || this.#statements.get(hasSortKeySql, [sort, key, id, last]) !== undefined;
    if (!isThere) return this.#behind(range, count);
    return { ...range, after: range.columns.length === 1 ? [id] : [key, id] };
  }

  /** The range behind `count` entries; the range itself when it has fewer. */
  #behind(range: Range, count: number): Range {
    const place = this.#statements.get<string>(placeSql(range), [...valuesOf(range), count - 1]);
    return place === undefined ? range : { ...range, after: JSON.parse(place) };
  }

  /** A page of all users of the ranges. */
  documents(skip: number, limit: number): string[] {
    const documents: string[] = [];
    let left = skip;
    for (const range of this.#ranges) {
      const start = left > 0 ? this.#behind(range, left) : range;
      if (start === range && left > 0) {
        left -= this.#statements.get<number>(countSql(range), valuesOf(range)) ?? 0;
        continue;
      }
      left = 0;
      const values = [...valuesOf(start), limit - documents.length];
      documents.push(...this.#statements.all<string>(documentsSql(this.#statements.type, start), values));
      if (documents.length >= limit) break;
    }
    return documents;
  }
}
