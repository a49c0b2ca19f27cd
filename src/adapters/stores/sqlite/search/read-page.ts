/** Reads the documents of a page, whose place in an index or whose numbers are known. */
import type { Condition } from '../../../../domain/find/conditions.ts';
import type { Position } from '../../../../domain/find/sorts.ts';
import type { PageQuery } from '../../../../domain/store.ts';
import { placeOf, readDocuments, readIds } from './found-rows.ts';
import { IndexScan } from './index-scan.ts';
import { type Order, orderOf, rangesOfAll } from './ranges.ts';
import type { Statements } from './statements.ts';

/** As `Page`, with documents as `Tables.read` takes them. */
export interface RowPage {
  readonly documents: readonly string[];
  readonly rest?: readonly string[];
  readonly first?: Position | undefined;
  readonly last?: Position | undefined;
  readonly more: boolean;
  readonly total?: number | undefined;
}

type Size = Pick<PageQuery, 'sort' | 'limit' | 'maxLength'>;

export const noRows = (total: number | undefined): RowPage => ({ documents: [], more: false, total });

/** Of a document without the numbers in front of it. */
const lengthOf = (document: string): number => document.length - document.indexOf('{');

/** In UTF-16 code units; few documents are shorter. So many are read at once that they reach `maxLength` if they aren't. */
const shortDocument = 512;

/** @param read reads so many documents behind those that were read; fewer at the end */
function readUpTo(
  count: number,
  maxLength: number | undefined,
  read: (count: number, before: readonly string[]) => readonly string[],
): readonly string[] {
  if (maxLength === undefined) return read(count, []);
  const documents: string[] = [];
  for (let length = 0; length < maxLength && documents.length < count; ) {
    const wanted = Math.min(count - documents.length, Math.ceil((maxLength - length) / shortDocument));
    const some = read(wanted, documents);
    for (const document of some) {
      if (length >= maxLength) return documents;
      documents.push(document);
      length += lengthOf(document);
    }
    if (some.length < wanted) break;
  }
  return documents;
}

/** A page of a part of an index; undefined where no index has exactly the matches in this order. */
export function readIndexPage(
  statements: Statements,
  query: PageQuery,
  where: Condition,
): RowPage | undefined {
  const { limit, maxLength, sort, skip = 0 } = query;
  const order = orderOf(query);
  if (rangesOfAll(order, where, statements.tables) === undefined) return undefined;
  const scanFrom = (from: Order, skipped = 0): IndexScan => {
    const scan = new IndexScan(statements, rangesOfAll(from, where, statements.tables) ?? []);
    scan.skip(skipped);
    return scan;
  };
  if (order.backward) return readPageOf(statements, query, scanFrom(order, skip).take(limit + 1));
  const place = (document: string | undefined): Position | undefined =>
    document === undefined ? undefined : placeOf(statements, statements.tables.read(document).id, sort);
  const behind = (documents: readonly string[]): IndexScan =>
    documents.length === 0 ? scanFrom(order, skip) : scanFrom({ sort, after: place(documents.at(-1)) });
  const read = readUpTo(limit + 1, maxLength, (count, before) => behind(before).documents(count));
  if (read.length > limit || maxLength === undefined) {
    const documents = read.slice(0, limit);
    return {
      documents,
      first: place(documents[0]),
      last: place(documents.at(-1)),
      more: read.length > limit,
    };
  }
  const left = limit - read.length;
  const others = behind(read).take(left + 1);
  const rest = readIds(statements, others.slice(0, left));
  const lastId = rest.at(-1);
  const last = lastId === undefined ? place(read.at(-1)) : placeOf(statements, lastId, sort);
  const page = { documents: read, first: place(read[0]), last, more: others.length > left };
  return rest.length > 0 ? { ...page, rest } : page;
}

/** @param found the numbers of the page in the direction of reading; one more than the page has when others follow */
export function readPageOf(
  statements: Statements,
  query: Size & Pick<PageQuery, 'before'>,
  found: readonly number[],
): RowPage {
  const { limit, maxLength, sort, before } = query;
  const page = found.slice(0, limit);
  if (before !== undefined) page.reverse();
  const documents = readUpTo(page.length, maxLength, (count, { length }) =>
    readDocuments(statements, page.slice(length, length + count)),
  );
  const rest = page.slice(documents.length);
  const [firstId] = readIds(statements, page.slice(0, 1));
  const ids = readIds(statements, rest.length > 0 ? rest : page.slice(-1));
  const lastId = ids.at(-1);
  return {
    documents,
    ...(rest.length > 0 && { rest: ids }),
    first: firstId === undefined ? undefined : placeOf(statements, firstId, sort),
    last: lastId === undefined ? undefined : placeOf(statements, lastId, sort),
    more: found.length > limit,
  };
}
