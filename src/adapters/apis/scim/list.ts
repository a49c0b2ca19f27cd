/** Lists of users: GET /Users, POST /Users/.search and POST /.search, by index and by cursor. */
import type { Principal } from '../../../domain/ports.ts';
import { type Position, positionOf } from '../../../domain/sorts.ts';
import type { StoredUser } from '../../../domain/stored-user.ts';
import { type CursorScope, makeCursor, parseCursor } from '../../cursor.ts';
import { assertPresent, type Context } from '../../http/context.ts';
import type { Choice } from '../../http/negotiation.ts';
import { type Selection, selectUsers } from './filter/select.ts';
import { type Given, type Query, readAddress, readQuery, readSearchRequest } from './parameters.ts';
import { ScimError } from './resource/errors.ts';
import { sendDocument } from './send.ts';
import { principalOf, readMessage, resourceOf, type ScimService } from './service.ts';
import { listUrn } from './urns.ts';

/** In UTF-16 code units: a page ends early beyond it, as RFC 7644 §3.4.2.4 allows. A thousand usual users take less. */
const maxPageLength = 4 * 1024 * 1024;

interface Page {
  /** Printed resources. */
  readonly resources: readonly string[];
  readonly first: Position | undefined;
  readonly last: Position | undefined;
  /** Users follow. */
  readonly more: boolean;
}

interface ListParts {
  readonly ctx: Context;
  readonly service: ScimService;
  readonly query: Query;
  readonly choice: Choice;
  readonly selection: Selection;
}

/** @param isWanted ends the page in front of the first user for whom it is false */
async function collectPage(
  { ctx, service, query, choice }: ListParts,
  batches: AsyncIterable<readonly StoredUser[]>,
  isWanted: (user: StoredUser) => boolean = () => true,
): Promise<Page> {
  const resources: string[] = [];
  let [first, last]: (Position | undefined)[] = [];
  let length = 0;
  for await (const batch of batches) {
    if (ctx.res.closed) break;
    for (const user of batch) {
      if (!isWanted(user)) return { resources, first, last, more: false };
      if (resources.length === query.count || length > maxPageLength)
        return { resources, first, last, more: true };
      const printed = JSON.stringify(query.project(resourceOf(service, user, choice)));
      length += printed.length;
      resources.push(printed);
      last = positionOf(user, query.sort);
      first ??= last;
    }
  }
  return { resources, first, last, more: false };
}

const noPage: Page = { resources: [], first: undefined, last: undefined, more: false };

function printList(members: Readonly<Record<string, unknown>>, { resources }: Page): string {
  const head = JSON.stringify({ schemas: [listUrn], ...members, itemsPerPage: resources.length });
  return `${head.slice(0, -1)},"Resources":[${resources.join(',')}]}`;
}

async function listByIndex(parts: ListParts): Promise<string> {
  const { query, selection } = parts;
  const totalResults = await selection.count();
  const { startIndex, count } = query;
  const isEmpty = count === 0 || startIndex > totalResults;
  const page = isEmpty ? noPage : await collectPage(parts, selection.walk({ skip: startIndex - 1 }));
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

async function readBackwards(parts: ListParts, before: Position): Promise<{ page: Page; isFirst: boolean }> {
  const { query, selection } = parts;
  const start = await selection.findStartBefore({ before, limit: query.count });
  const page = await collectPage(parts, selection.walk({ after: start, before }));
  return { page, isFirst: start === undefined };
}

async function listByCursor(parts: ListParts, cursor: string): Promise<string> {
  const { query, selection } = parts;
  const place = placeOf(query, cursor);
  const isBackward = 'before' in place;
  // Exact, and costly where many match: it is told at the beginning of a walk, not with each page (RFC 9865 §2).
  const total = cursor === '' ? { totalResults: await selection.count() } : {};
  if (query.count === 0) return printList(total, noPage);
  const { page, isFirst } = isBackward
    ? await readBackwards(parts, place.before)
    : {
        page: await collectPage(parts, selection.walk({ after: place.after })),
        isFirst: place.after === undefined,
      };
  const scopes = scopesOf(query);
  const { first, last, more } = page;
  const next =
    last !== undefined && (more || isBackward) ? { nextCursor: makeCursor(last, scopes.next) } : {};
  const previous =
    first !== undefined && !isFirst ? { previousCursor: makeCursor(first, scopes.previous) } : {};
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
