/**
 * Lists: GET /Users, POST /Users/.search and POST /.search.
 *
 * 1. `parameters.ts` creates a query from the URL or the body: filter, order, page, and which attributes are shown (`resource/projection.ts`).
 * 2. `filter/select.ts` creates a selection from the query. It knows whether an index answers the filter or resources must be scanned.
 *    Scanning lists wait for one of a few slots.
 * 3. A page is read by index (`startIndex`, with an exact total) or by cursor (RFC 9865). A cursor holds the position of the last resource
 *    and is valid for one filter and order. POST /.search reads the types one after the other, as if they were one list.
 * 4. `print-page.ts` prints resources until the page is full or 4 MiB long.
 */

import { requireAny, scopeOf } from '../../../../domain/scopes.ts';
import { assertPresent, type Context, clientOf } from '../../../http/pipeline/context.ts';
import { eventLoop } from '../../../scheduler/event-loop.ts';
import { Slots } from '../../../scheduler/slots.ts';
import { type CursorScope, makeListCursor, parseListCursor } from '../../resources/cursor.ts';
import { FilterSelection, type PlaceOfPage } from '../filter/select.ts';
import { sendDocument, withMessage } from '../protocol/messages.ts';
import { authorizeRelation } from '../protocol/related.ts';
import {
  type Endpoint,
  principalOf,
  resourceOf,
  type ScimService,
  shownEndpoints,
} from '../protocol/service.ts';
import { ScimError } from '../resource/errors.ts';
import type { ResourceType } from '../resource/resource-type.ts';
import {
  readAddress,
  readQuery,
  readSearchRequest,
  type ScimParameters,
  type ScimQuery,
} from './parameters.ts';
import { type ListParts, type PrintedPage, printList, printResultPage } from './print-page.ts';

const readPage = async (parts: ListParts, place: PlaceOfPage, before: number): Promise<PrintedPage> =>
  printResultPage(parts, await parts.selection.page(place), before);

/** The matches of each type follow those of the previous type. */
async function listByIndex(all: readonly ListParts[], { startIndex, count }: ScimQuery): Promise<string> {
  const shown: PrintedPage['shown'][number][] = [];
  let [skip, left, totalResults, length] = [startIndex - 1, count, 0, 0];
  for (const parts of all) {
    const page = await readPage(parts, { skip, limit: left, total: 'exact' }, length);
    shown.push(...page.shown);
    length = page.length;
    totalResults += page.total ?? 0;
    skip = Math.max(0, skip - (page.total ?? 0));
    // A page that has reached its length ends here.
    left = page.more ? 0 : left - page.shown.length;
  }
  return printList({ totalResults, startIndex }, shown);
}

type Direction = 'next' | 'previous';

/** Type and direction are among the parameters that a cursor is bound to. */
function scopeOfCursor({ endpoint, query }: ListParts, direction: Direction): CursorScope {
  const { filterText, sort } = query;
  const { by, descending } = sort;
  const { access } = endpoint.service;
  return {
    parameters: [
      ...['scim', endpoint.type.name, direction, filterText ?? null, by ?? null, descending === true],
      ...(access === undefined ? [] : [['profile', access.mark]]),
    ],
    isSorted: by !== undefined,
  };
}

interface Start {
  /** The type of the list that the place belongs to. */
  readonly at: number;
  readonly direction: Direction;
  readonly place: Omit<PlaceOfPage, 'limit'>;
}

/** The total is exact, and costly with many matches: sent with the first page only (RFC 9865 §2). */
function startOf(all: readonly ListParts[], cursor: string): Start {
  if (cursor === '') return { at: 0, direction: 'next', place: { total: 'exact' } };
  for (const [at, parts] of all.entries()) {
    const after = parseListCursor(cursor, scopeOfCursor(parts, 'next'));
    if (after !== undefined && after !== 'end') return { at, direction: 'next', place: { after } };
    const before = parseListCursor(cursor, scopeOfCursor(parts, 'previous'));
    if (before !== undefined && before !== 'end') return { at, direction: 'previous', place: { before } };
  }
  throw new ScimError(
    'invalidCursor',
    'cursor does not belong to this list: keep filter and order unchanged while paging.',
  );
}

/** A page of all types, in the direction of the cursor. */
async function readPages(all: readonly ListParts[], { at, direction, place }: Start, count: number) {
  const isNext = direction === 'next';
  const shown: { readonly text: string; readonly cursorTo: (direction: Direction) => string }[] = [];
  let [from, more, total, length] = [place, false, 0, 0];
  for (const parts of isNext ? all.slice(at) : all.slice(0, at + 1).toReversed()) {
    const left = more ? 0 : count - shown.length;
    // Beyond the page, one match tells that there are more.
    const page = await readPage(parts, { ...from, limit: Math.max(1, left) }, length);
    length = page.length;
    const { type } = parts.endpoint;
    for (const { text, stored } of page.shown.slice(0, left)) {
      const position = type.kind.positionOf(stored, parts.query.sort);
      shown.push({ text, cursorTo: (to) => makeListCursor(position, scopeOfCursor(parts, to)) });
    }
    more ||= page.more || page.shown.length > left;
    total += page.total ?? 0;
    if (more && place.total === undefined) break;
    from = isNext ? { ...(place.total && { total: place.total }) } : { before: 'end' };
  }
  return { shown: isNext ? shown : shown.reverse(), more, total: place.total && total };
}

async function listByCursor(
  all: readonly ListParts[],
  { count }: ScimQuery,
  cursor: string,
): Promise<string> {
  const start = startOf(all, cursor);
  if (count === 0 && cursor !== '') return printList({}, []);
  const { shown, more, total } = await readPages(all, start, count);
  const isNext = start.direction === 'next';
  const [first, last] = [shown[0], shown.at(-1)];
  const members = {
    ...(total !== undefined && { totalResults: total }),
    ...(last !== undefined && (more || !isNext) && { nextCursor: last.cursorTo('next') }),
    ...(first !== undefined &&
      (isNext ? cursor !== '' : more) && { previousCursor: first.cursorTo('previous') }),
  };
  return printList(members, shown);
}

/** In UTF-16 code units. Parsing a shorter filter takes almost no time. */
const longFilter = 1000;

/** Parses one long filter per turn of the event loop. */
async function readInTurn(
  client: string,
  type: ResourceType,
  given: ScimParameters,
  types: readonly ResourceType[],
): Promise<ScimQuery> {
  const filter = given.get('filter');
  if (typeof filter === 'string' && filter.length > longFilter) await eventLoop.next(client);
  return readQuery(type, given, types);
}

/** Concurrent lists that scan resources, at most half of them for one client. Lists that an index answers don't wait for these slots. */
const scans = new Slots(16);

async function sendSelected(all: readonly ListParts[]): Promise<void> {
  const { ctx, endpoint, query } = assertPresent(all[0]);
  if (ctx.res.closed) return;
  assertPresent(ctx.state.load).responses.admitList();
  const content =
    query.cursor === undefined ? await listByIndex(all, query) : await listByCursor(all, query, query.cursor);
  const hasRelation = all.some((parts) => parts.hasRelation);
  const fields = ['Cache-Control', endpoint.service.cacheControl(hasRelation)];
  await sendDocument(ctx, { status: 200, content, fields });
}

function partsOf(ctx: Context, endpoint: Endpoint, query: ScimQuery): ListParts {
  const choice = assertPresent(ctx.state.choice);
  const { type, resources, related, service } = endpoint;
  const principal = principalOf(ctx);
  const hasRelation = authorizeRelation(endpoint, principal, query.projection, true);
  const selection = new FilterSelection({
    ...{ type, resources, related, principal, maxScanned: service.maxScanned },
    ...{ filter: query.filter, sort: query.sort },
    resourceOf: (stored) => resourceOf(endpoint, stored, choice),
    hasLeft: () => ctx.res.closed,
  });
  return { ctx, endpoint, query, choice, selection, hasRelation };
}

async function isScan(all: readonly ListParts[]): Promise<boolean> {
  for (const { selection } of all) if (await selection.isScan()) return true;
  return false;
}

async function sendList(ctx: Context, endpoints: readonly Endpoint[], given: ScimParameters): Promise<void> {
  const client = clientOf(ctx);
  const types = endpoints.map(({ type }) => type);
  const queries: (readonly [Endpoint, ScimQuery])[] = [];
  for (const endpoint of endpoints)
    queries.push([endpoint, await readInTurn(client, endpoint.type, given, types)]);
  const { responses } = assertPresent(ctx.state.load);
  responses.admitList();
  const releaseSlot = await responses.listSlots.acquire(client);
  try {
    if (ctx.res.closed) return;
    const all = queries.map(([endpoint, query]) => partsOf(ctx, endpoint, query));
    if (!(await isScan(all))) return await sendSelected(all);
    releaseSlot();
    return await scans.run(client, () => sendSelected(all));
  } finally {
    releaseSlot();
  }
}

export const listResources = (ctx: Context, endpoint: Endpoint): Promise<void> =>
  sendList(ctx, [endpoint], readAddress(ctx));

export const searchResources = async (ctx: Context, endpoint: Endpoint): Promise<void> =>
  withMessage(ctx, (message) => sendList(ctx, [endpoint], readSearchRequest(message)));

/** The types that the client may read. */
export async function searchAll(ctx: Context, service: ScimService): Promise<void> {
  const principal = principalOf(ctx);
  const scopeOfType = ({ type }: Endpoint) => scopeOf(type.kind.name, 'list');
  requireAny(principal, service.endpoints.map(scopeOfType));
  const mayRead = (endpoint: Endpoint) => principal.scopes.has(scopeOfType(endpoint));
  const readable = service.endpoints.filter(mayRead);
  const shown = shownEndpoints(service).filter(mayRead);
  const searched = shown.length > 0 ? shown : readable;
  return withMessage(ctx, (message) => sendList(ctx, searched, readSearchRequest(message)));
}
