/**
 * Lists of users: GET /Users, POST /Users/.search and POST /.search.
 *
 * 1. `parameters.ts` creates a query from the URL or the body: filter, order, page, and which attributes are shown (`projection.ts`).
 * 2. `filter/select.ts` creates a selection from the query. It knows whether an index answers the filter or users must be scanned. Scanning
 *    lists wait for one of a few slots.
 * 3. A page is read by index (`startIndex`, with an exact total) or by cursor (RFC 9865). A cursor holds the position of the last user and
 *    is valid for one filter and order.
 * 4. `collect-page.ts` prints users until the page is full or 4 MiB long.
 *
 * A first reading may skip reading pages backwards (`previousCursor`) and getting total and page from one scan (`collectAndCount`).
 */

import type { Position } from '../../../../domain/find/sorts.ts';
import type { Principal } from '../../../../domain/ports.ts';
import { assertPresent, type Context, clientOf } from '../../../http/core/context.ts';
import type { Choice } from '../../../http/headers/negotiation.ts';
import { eventLoop } from '../../../scheduler/event-loop.ts';
import { Slots } from '../../../scheduler/slots.ts';
import { type CursorScope, makeCursor, parseCursor } from '../../resources/cursor.ts';
import { readMessage, sendDocument } from '../base/messages.ts';
import { principalOf, resourceOf, type ScimService } from '../base/service.ts';
import { type Selection, selectUsers } from '../filter/select.ts';
import { ScimError } from '../resource/errors.ts';
import {
  collectAndCount,
  collectFirst,
  collectLast,
  type ListParts,
  noPage,
  type Page,
  printList,
} from './collect-page.ts';
import { type Given, type Query, readAddress, readQuery, readSearchRequest } from './parameters.ts';

interface Counted extends Page {
  readonly total: number;
}

async function readCounted(parts: ListParts, skip: number): Promise<Counted> {
  const { query, selection } = parts;
  if (await selection.isScan()) return collectAndCount(parts, skip);
  const total = await selection.count();
  if (query.count === 0 || skip >= total) return { ...noPage, total };
  // Reads one more user to see whether a page follows.
  const page = await collectFirst(parts, selection.walk({ skip, limit: query.count + 1 }));
  return { ...page, total };
}

async function listByIndex(parts: ListParts): Promise<string> {
  const { startIndex } = parts.query;
  const page = await readCounted(parts, startIndex - 1);
  return printList({ totalResults: page.total, startIndex }, page);
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

type Place = 'start' | { readonly after: Position } | { readonly before: Position };

function placeOf(query: Query, cursor: string): Place {
  if (cursor === '') return 'start';
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

interface Turned extends Page {
  /** Exact, and costly with many matches: sent with the first page only (RFC 9865 §2). */
  readonly total?: number;
  /** Whether users precede or follow the page. */
  readonly has: { readonly previous: boolean; readonly next: boolean };
}

async function readStart(parts: ListParts): Promise<Turned> {
  const page = await readCounted(parts, 0);
  return { ...page, has: { previous: false, next: page.more } };
}

async function readForwards(parts: ListParts, after: Position): Promise<Turned> {
  const limit = parts.query.count + 1;
  const page = await collectFirst(parts, parts.selection.walk({ after, limit }));
  return { ...page, has: { previous: true, next: page.more } };
}

async function readBackwards(parts: ListParts, before: Position): Promise<Turned> {
  const { query, selection } = parts;
  const after = await selection.findStartBefore({ before, limit: query.count });
  const page = await collectLast(parts, selection.walk({ after, before }));
  return { ...page, has: { previous: after !== undefined || page.more, next: true } };
}

function readPage(parts: ListParts, place: Place): Promise<Turned> {
  if (place === 'start') return readStart(parts);
  return 'before' in place ? readBackwards(parts, place.before) : readForwards(parts, place.after);
}

async function listByCursor(parts: ListParts, cursor: string): Promise<string> {
  const { query } = parts;
  const place = placeOf(query, cursor);
  if (query.count === 0 && place !== 'start') return printList({}, noPage);
  const page = await readPage(parts, place);
  const scopes = scopesOf(query);
  const [first, last] = [page.users[0], page.users.at(-1)];
  const hasNext = last !== undefined && page.has.next;
  const hasPrevious = first !== undefined && page.has.previous;
  const members = {
    ...(page.total !== undefined && { totalResults: page.total }),
    ...(hasNext && { nextCursor: makeCursor(last.position, scopes.next) }),
    ...(hasPrevious && { previousCursor: makeCursor(first.position, scopes.previous) }),
  };
  return printList(members, page);
}

const selectionOf = (
  service: ScimService,
  principal: Principal,
  choice: Choice,
  { filter, sort }: Query,
): Selection =>
  selectUsers({
    users: service.users,
    principal,
    filter,
    sort,
    maxScanned: service.maxScanned,
    resourceOf: (user) => resourceOf(service, user, choice),
  });

/** In UTF-16 code units. Parsing a shorter filter takes almost no time. */
const longFilter = 1000;

/** Parses one long filter per turn of the event loop. */
async function readInTurn(client: string, given: Given): Promise<Query> {
  const filter = given.get('filter');
  if (typeof filter === 'string' && filter.length > longFilter) await eventLoop.next(client);
  return readQuery(given);
}

/** Concurrent lists that scan users, at most half of them for one client. Lists that an index answers don't wait for these slots. */
const scans = new Slots(16);

async function sendSelected(parts: ListParts): Promise<void> {
  const { ctx, service, query } = parts;
  if (ctx.res.closed) return;
  assertPresent(ctx.state.load).answers.admitList();
  const content =
    query.cursor === undefined ? await listByIndex(parts) : await listByCursor(parts, query.cursor);
  await sendDocument(ctx, { status: 200, content, fields: ['Cache-Control', service.cacheControl] });
}

async function sendList(ctx: Context, service: ScimService, given: Given): Promise<void> {
  const client = clientOf(ctx);
  const query = await readInTurn(client, given);
  const choice = assertPresent(ctx.state.choice);
  const { answers } = assertPresent(ctx.state.load);
  answers.admitList();
  const releaseSlot = await answers.listSlots.acquire(client);
  try {
    if (ctx.res.closed) return;
    const selection = selectionOf(service, principalOf(ctx), choice, query);
    const parts = { ctx, service, query, choice, selection };
    if (!(await selection.isScan())) return await sendSelected(parts);
    releaseSlot();
    return await scans.run(client, () => sendSelected(parts));
  } finally {
    releaseSlot();
  }
}

export const listUsers = (ctx: Context, service: ScimService): Promise<void> =>
  sendList(ctx, service, readAddress(ctx.querystring));

export async function searchUsers(ctx: Context, service: ScimService): Promise<void> {
  return sendList(ctx, service, readSearchRequest(await readMessage(ctx)));
}
