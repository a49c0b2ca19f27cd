/** Reads the documents of a page by its place in an index or by numbers. */
import type { Condition } from '../../../../domain/find/conditions.ts';
import type { Page, PageQuery } from '../../../../domain/store.ts';
import { IndexScan, orderOf, rangesOfAll } from './index-scan.ts';
import type { Statements } from './statements.ts';

/** A `Page` with documents for `Tables.read`. */
export interface RowPage extends Omit<Page, 'items'> {
  readonly documents: readonly string[];
}

type Size = Pick<PageQuery, 'sort' | 'limit' | 'maxLength'>;

export const noRows = (total: number | undefined): RowPage => ({ documents: [], more: false, total });

/** The length of a document without the numbers in front of it. */
const lengthOf = (document: string): number => document.length - document.indexOf('{');

/** In UTF-16 code units. Few documents are shorter, so `maxLength` divided by this is mostly enough documents to read at once. */
const shortDocument = 512;

interface Read {
  readonly documents: readonly string[];
  /** Documents that were read behind `maxLength`; undefined if others may follow that were not read. */
  readonly beyond: readonly string[] | undefined;
}

/** @param read reads `count` documents behind the earlier ones; fewer at the end */
function readUpTo(
  count: number,
  maxLength: number | undefined,
  read: (count: number, before: readonly string[]) => readonly string[],
): Read {
  if (maxLength === undefined) return { documents: read(count, []), beyond: [] };
  const documents: string[] = [];
  for (let length = 0; length < maxLength; ) {
    const wanted = Math.min(count - documents.length, Math.ceil((maxLength - length) / shortDocument));
    const some = read(wanted, documents);
    const isEnd = some.length < wanted || documents.length + some.length === count;
    for (const [at, document] of some.entries()) {
      if (length >= maxLength) return { documents, beyond: isEnd ? some.slice(at) : undefined };
      documents.push(document);
      length += lengthOf(document);
    }
    if (isEnd) return { documents, beyond: [] };
  }
  return { documents, beyond: undefined };
}

/** A page that is part of an index; undefined if no index has exactly the matches in this order. */
export function readIndexPage(
  statements: Statements,
  query: PageQuery,
  where: Condition,
): RowPage | undefined {
  const { tables } = statements;
  const order = orderOf(query);
  const ranges = rangesOfAll(order, where, tables);
  if (ranges === undefined) return undefined;
  const scan = new IndexScan(statements, ranges);
  scan.skip(query.skip ?? 0);
  if (order.backward) return readPageOf(statements, query, scan.take(query.limit + 1));
  const behind = (document: string): IndexScan => {
    const after = statements.placeOf(tables.read(document).id, query.sort);
    return new IndexScan(statements, rangesOfAll({ ...order, after }, where, tables) ?? []);
  };
  return readForward(statements, query, (last) => (last === undefined ? scan : behind(last)));
}

/** @param scanBehind scans the entries behind a document of the page, or from the page's beginning */
function readForward(
  statements: Statements,
  { limit, maxLength, sort }: Size,
  scanBehind: (last: string | undefined) => IndexScan,
): RowPage {
  const { documents: read, beyond } = readUpTo(limit + 1, maxLength, (count, before) =>
    scanBehind(before.at(-1)).documents(count),
  );
  const idOf = (document: string): string => statements.tables.read(document).id;
  const documents = read.slice(0, limit);
  const left = limit - documents.length;
  const others = beyond?.map(idOf) ?? statements.ids(scanBehind(read.at(-1)).take(left + 1));
  const rest = others.slice(0, left);
  const [first, end] = [documents[0], documents.at(-1)];
  const firstId = first === undefined ? rest[0] : idOf(first);
  const lastId = rest.at(-1) ?? (end === undefined ? undefined : idOf(end));
  const place = (id: string | undefined) => (id === undefined ? undefined : statements.placeOf(id, sort));
  const more = read.length + others.length > limit;
  return { documents, ...restOf(rest), first: place(firstId), last: place(lastId), more };
}

const restOf = (rest: readonly string[]): Pick<RowPage, 'rest'> => (rest.length > 0 ? { rest } : {});

/** @param found the numbers of the page in the direction of reading, with one more if others follow */
export function readPageOf(
  statements: Statements,
  query: Size & Pick<PageQuery, 'before'>,
  found: readonly number[],
): RowPage {
  const { limit, maxLength, sort, before } = query;
  const page = found.slice(0, limit);
  if (before !== undefined) page.reverse();
  const { documents } = readUpTo(page.length, maxLength, (count, { length }) =>
    statements.documents(page.slice(length, length + count)),
  );
  const rest = statements.ids(page.slice(documents.length));
  const [firstId, lastId] = statements.ids([...page.slice(0, 1), ...page.slice(-1)]);
  return {
    documents,
    ...restOf(rest),
    first: firstId === undefined ? undefined : statements.placeOf(firstId, sort),
    last: lastId === undefined ? undefined : statements.placeOf(lastId, sort),
    more: found.length > limit,
  };
}
