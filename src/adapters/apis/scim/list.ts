/** Lists of users: GET /Users, POST /Users/.search and POST /.search, by index and by cursor. */
import type { Principal } from '../../../domain/ports.ts';
import type { Position } from '../../../domain/sorts.ts';
import { type CursorScope, makeCursor, parseCursor } from '../../cursor.ts';
import { assertPresent, type Context } from '../../http/context.ts';
import type { Choice } from '../../http/negotiation.ts';
import { collectFirst, collectLast, type ListParts, noPage, type Page, printList } from './collect-page.ts';
import { type Selection, selectUsers } from './filter/select.ts';
import { type Given, type Query, readAddress, readQuery, readSearchRequest } from './parameters.ts';
import { ScimError } from './resource/errors.ts';
import { sendDocument } from './send.ts';
import { principalOf, readMessage, resourceOf, type ScimService } from './service.ts';

async function listByIndex(parts: ListParts): Promise<string> {
  const { query, selection } = parts;
  const totalResults = await selection.count();
  const { startIndex, count } = query;
  const isEmpty = count === 0 || startIndex > totalResults;
  const page = isEmpty
    ? noPage
    : await collectFirst(parts, selection.walk({ skip: startIndex - 1, limit: count }));
  return printList({ totalResults, startIndex }, page);
}

/** The direction is among the parameters that a cursor belongs to. */
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

type Place = { readonly after: Position | undefined } | { readonly before: Position };

function placeOf(query: Query, cursor: string): Place {
  if (cursor === '') return { after: undefined };
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
  /** Something is in front of the page, or behind it. */
  readonly has: { readonly previous: boolean; readonly next: boolean };
}

async function readForwards(parts: ListParts, after: Position | undefined): Promise<Turned> {
  const { query, selection } = parts;
  // One more tells whether a page follows.
  const page = await collectFirst(parts, selection.walk({ after, limit: query.count + 1 }));
  return { ...page, has: { previous: after !== undefined, next: page.more } };
}

async function readBackwards(parts: ListParts, before: Position): Promise<Turned> {
  const { query, selection } = parts;
  const after = await selection.findStartBefore({ before, limit: query.count });
  const page = await collectLast(parts, selection.walk({ after, before }));
  return { ...page, has: { previous: after !== undefined || page.more, next: true } };
}

async function listByCursor(parts: ListParts, cursor: string): Promise<string> {
  const { query, selection } = parts;
  const place = placeOf(query, cursor);
  // Exact, and costly where many match: it is told at the beginning of a walk, not with each page (RFC 9865 §2).
  const total = cursor === '' ? { totalResults: await selection.count() } : {};
  if (query.count === 0) return printList(total, noPage);
  const page =
    'before' in place ? await readBackwards(parts, place.before) : await readForwards(parts, place.after);
  const scopes = scopesOf(query);
  const [first, last] = [page.users[0], page.users.at(-1)];
  const next =
    last !== undefined && page.has.next ? { nextCursor: makeCursor(last.position, scopes.next) } : {};
  const previous =
    first !== undefined && page.has.previous
      ? { previousCursor: makeCursor(first.position, scopes.previous) }
      : {};
  return printList({ ...total, ...next, ...previous }, page);
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

async function sendList(ctx: Context, service: ScimService, given: Given): Promise<void> {
  const query = readQuery(given);
  const choice = assertPresent(ctx.state.choice);
  const { answers } = assertPresent(ctx.state.load);
  answers.admitList();
  const releaseSlot = await answers.acquireListSlot();
  try {
    if (ctx.res.closed) return;
    answers.admitList();
    const selection = selectionOf(service, principalOf(ctx), choice, query);
    const parts = { ctx, service, query, choice, selection };
    const content =
      query.cursor === undefined ? await listByIndex(parts) : await listByCursor(parts, query.cursor);
    await sendDocument(ctx, { status: 200, content, fields: ['Cache-Control', service.cacheControl] });
  } finally {
    releaseSlot();
  }
}

export const listUsers = (ctx: Context, service: ScimService): Promise<void> =>
  sendList(ctx, service, readAddress(ctx.querystring));

export async function searchUsers(ctx: Context, service: ScimService): Promise<void> {
  return sendList(ctx, service, readSearchRequest(await readMessage(ctx)));
}
