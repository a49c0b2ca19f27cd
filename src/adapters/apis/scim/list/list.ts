/**
 * Lists: GET /Users, POST /Users/.search and POST /.search.
 *
 * 1. `parameters.ts` creates a query from the URL or the body: filter, order, page, and which attributes are shown (`resource/projection.ts`).
 * 2. `filter/select.ts` creates a selection from the query. It knows whether an index answers the filter or resources must be scanned.
 *    Scanning lists wait for one of a few slots.
 * 3. A page is read by index (`startIndex`, with an exact total) or by cursor (RFC 9865). A cursor holds the position of the last resource
 *    and is valid for one filter and order.
 * 4. `print-page.ts` prints resources until the page is full or 4 MiB long.
 */

import { assertPresent, type Context, clientOf } from '../../../http/core/context.ts';
import { eventLoop } from '../../../scheduler/event-loop.ts';
import { Slots } from '../../../scheduler/slots.ts';
import { type CursorScope, makeCursor, parseCursor } from '../../resources/cursor.ts';
import { sendDocument, withMessage } from '../base/messages.ts';
import { showsRelation } from '../base/related.ts';
import { type Endpoint, principalOf, resourceOf } from '../base/service.ts';
import { type PlaceOfPage, Selection } from '../filter/select.ts';
import { ScimError } from '../resource/errors.ts';
import type { ResourceType } from '../resource/resource-type.ts';
import { type Given, type Query, readAddress, readQuery, readSearchRequest } from './parameters.ts';
import { type ListParts, type PrintedPage, printList, printPage } from './print-page.ts';

const readPage = async (parts: ListParts, place: PlaceOfPage): Promise<PrintedPage> =>
  printPage(parts, await parts.selection.page(place));

async function listByIndex(parts: ListParts): Promise<string> {
  const { startIndex, count } = parts.query;
  const place = { skip: startIndex - 1, limit: count, total: 'exact' } as const;
  const { shown, total } = await readPage(parts, place);
  return printList({ totalResults: total, startIndex }, shown);
}

/** The direction is one of the parameters that a cursor is bound to. */
function scopesOf({
  filterText,
  sort: { by, descending },
}: Query): Readonly<Record<'next' | 'previous', CursorScope>> {
  const of = (direction: string): CursorScope => ({
    parameters: ['scim', direction, filterText ?? null, by ?? null, descending === true],
    isSorted: by !== undefined,
  });
  return { next: of('next'), previous: of('previous') };
}

/** The total is exact, and costly with many matches: sent with the first page only (RFC 9865 §2). */
function placeOf(query: Query, cursor: string): Omit<PlaceOfPage, 'limit'> {
  if (cursor === '') return { total: 'exact' };
  const scopes = scopesOf(query);
  const after = parseCursor(cursor, scopes.next);
  if (after !== undefined && after !== 'end') return { after };
  const before = parseCursor(cursor, scopes.previous);
  if (before !== undefined && before !== 'end') return { before };
  throw new ScimError(
    'invalidCursor',
    'cursor is none of this list: filter and order stay unchanged on the way.',
  );
}

/** Which cursors a page has. */
function hasCursors({ after, before }: Omit<PlaceOfPage, 'limit'>, { more }: PrintedPage) {
  if (before !== undefined) return { next: true, previous: more };
  return { next: more, previous: after !== undefined };
}

async function listByCursor(parts: ListParts, cursor: string): Promise<string> {
  const { query, endpoint } = parts;
  const place = placeOf(query, cursor);
  if (query.count === 0 && place.total === undefined) return printList({}, []);
  const page = await readPage(parts, { ...place, limit: query.count });
  const shown = place.before === undefined ? page.shown : page.shown.toReversed();
  const scopes = scopesOf(query);
  const has = hasCursors(place, page);
  const cursorTo = (end: (typeof shown)[number], scope: CursorScope) =>
    makeCursor(endpoint.type.kind.positionOf(end.stored, query.sort), scope);
  const [first, last] = [shown[0], shown.at(-1)];
  const members = {
    ...(page.total !== undefined && { totalResults: page.total }),
    ...(last !== undefined && has.next && { nextCursor: cursorTo(last, scopes.next) }),
    ...(first !== undefined && has.previous && { previousCursor: cursorTo(first, scopes.previous) }),
  };
  return printList(members, shown);
}

/** In UTF-16 code units. Parsing a shorter filter takes almost no time. */
const longFilter = 1000;

/** Parses one long filter per turn of the event loop. */
async function readInTurn(client: string, type: ResourceType, given: Given): Promise<Query> {
  const filter = given.get('filter');
  if (typeof filter === 'string' && filter.length > longFilter) await eventLoop.next(client);
  return readQuery(type, given);
}

/** Concurrent lists that scan resources, at most half of them for one client. Lists that an index answers don't wait for these slots. */
const scans = new Slots(16);

async function sendSelected(parts: ListParts): Promise<void> {
  const { ctx, endpoint, query } = parts;
  if (ctx.res.closed) return;
  assertPresent(ctx.state.load).answers.admitList();
  const content =
    query.cursor === undefined ? await listByIndex(parts) : await listByCursor(parts, query.cursor);
  const fields = ['Cache-Control', endpoint.service.cacheControl];
  await sendDocument(ctx, { status: 200, content, fields });
}

function partsOf(ctx: Context, endpoint: Endpoint, query: Query): ListParts {
  const choice = assertPresent(ctx.state.choice);
  const { type, resources, related, service } = endpoint;
  const principal = principalOf(ctx);
  const hasRelation = showsRelation(endpoint, principal, query.projection, true);
  const selection = new Selection({
    ...{ type, resources, related, principal, maxScanned: service.maxScanned },
    ...{ filter: query.filter, sort: query.sort },
    resourceOf: (stored) => resourceOf(endpoint, stored, choice),
    hasLeft: () => ctx.res.closed,
  });
  return { ctx, endpoint, query, choice, selection, hasRelation };
}

async function sendList(ctx: Context, endpoint: Endpoint, given: Given): Promise<void> {
  const client = clientOf(ctx);
  const query = await readInTurn(client, endpoint.type, given);
  const { answers } = assertPresent(ctx.state.load);
  answers.admitList();
  const releaseSlot = await answers.listSlots.acquire(client);
  try {
    if (ctx.res.closed) return;
    const parts = partsOf(ctx, endpoint, query);
    if (!(await parts.selection.isScan())) return await sendSelected(parts);
    releaseSlot();
    return await scans.run(client, () => sendSelected(parts));
  } finally {
    releaseSlot();
  }
}

export const listResources = (ctx: Context, endpoint: Endpoint): Promise<void> =>
  sendList(ctx, endpoint, readAddress(ctx.querystring));

export async function searchResources(ctx: Context, endpoint: Endpoint): Promise<void> {
  return withMessage(ctx, (message) => sendList(ctx, endpoint, readSearchRequest(message)));
}
