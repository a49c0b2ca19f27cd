/** GET of a list: a page or all. A small list is sent whole; a larger one is streamed at the reader's pace. */
import { Readable } from 'node:stream';
import { mediaTypeOf } from '../../http/headers/negotiation.ts';
import { acceptableCodings, type Coding, codingFor } from '../../http/pipeline/codings.ts';
import {
  checkIfMatch,
  contentTag,
  findHeldTag,
  isFresh,
  tagInCoding,
} from '../../http/pipeline/conditional.ts';
import { assertPresent, type Context, clientOf } from '../../http/pipeline/context.ts';
import { respond } from '../../http/pipeline/respond.ts';
import { codingState, type SetSize } from '../../http/pipeline/response-budget.ts';
import type { ListQuery } from './list-query.ts';
import { type List, readList } from './read-list.ts';
import type { ResourcePrinter, ResourceService } from './service.ts';

/** The copies of a piece in memory: as stored, as printed, in the stream, and two in the connection. */
const copiesOfPieces = 5;

/**
 * Yields the list, and resets the connection on an error: a normal close would mean the end of the list to a client of HTTP/1.0, or to a
 * client behind a proxy that uses it.
 * @param start its one element is removed, so that it isn't held while the list is streamed
 */
async function* yieldListOrReset(
  ctx: Context,
  start: string[],
  rest: List['rest'],
  { list }: Pick<ResourcePrinter, 'list'>,
  setSize: SetSize,
): AsyncGenerator<string> {
  yield start.pop() ?? '';
  try {
    for await (const text of rest) {
      setSize(text.length * copiesOfPieces);
      yield list.between + text;
    }
    yield list.close;
  } catch (error) {
    ctx.req.socket.resetAndDestroy();
    throw error;
  }
}

/** Buffers one piece. Pieces are strings, since bytes would be copied once more. */
function streamOf(
  ctx: Context,
  start: string,
  rest: List['rest'],
  printer: Pick<ResourcePrinter, 'list'>,
  coding: Coding,
) {
  // With the listeners of Koa and of Node's pipeline, there are more than ten, Node's limit for a warning.
  ctx.res.setMaxListeners(20);
  const track = assertPresent(ctx.state.load).responses.track(ctx.res);
  const setSize = (bytes: number) => track(bytes + codingState[coding]);
  setSize(start.length * copiesOfPieces);
  const pieces = yieldListOrReset(ctx, [start], rest, printer, setSize);
  return Readable.from(pieces, { objectMode: true, highWaterMark: 1 });
}

async function sendList(ctx: Context, service: ResourceService, query: ListQuery): Promise<void> {
  const choice = assertPresent(ctx.state.choice);
  const printer = service.printer(choice.format);
  const { body, done, link, rest } = await readList(ctx, service, query, printer);
  // Encoded once for the tag, the length and the connection: lists with non-ASCII text take a third less time.
  const bytes = done ? Buffer.from(body) : undefined;
  const principal = assertPresent(ctx.state.principal);
  const seen = [principal.contract ?? [], principal.access?.mark ?? []].flat();
  // A streamed list has no tag, so no client has a cached copy with one.
  const { contentType } = assertPresent(mediaTypeOf(choice));
  const tag = bytes === undefined ? '' : contentTag(bytes, contentType, link, ...seen);
  checkIfMatch(ctx.headers, tag, () => acceptableCodings(ctx));
  const held = findHeldTag(ctx.headers, tag, () => acceptableCodings(ctx));
  const fresh = held !== undefined || isFresh(ctx.headers);
  const coding = codingFor(ctx, done ? body.length : undefined);
  const fields = ['Cache-Control', service.cachingFor(principal).control];
  if (link !== '') fields.push('Link', link);
  if (done) fields.push('ETag', held ?? tagInCoding(tag, coding));
  if (fresh) {
    await rest.return(undefined);
    return respond(ctx, { status: 304, fields });
  }
  const content = bytes ?? streamOf(ctx, body, rest, printer, coding);
  fields.push('Content-Type', contentType);
  await respond(ctx, { status: 200, fields, content, coding });
  // This buffer is not shared, unlike other responses.
  if (bytes !== undefined && coding === 'identity')
    assertPresent(ctx.state.load).responses.trackUnsent(ctx.res);
}

/**
 * Runs work that needs as much memory as a list, in one of the client's places for lists.
 * @returns undefined if the client has disconnected
 * @throws HttpProblem 503
 */
export function inListSlot<T>(ctx: Context, run: () => Promise<T>): Promise<T | undefined> {
  const { responses } = assertPresent(ctx.state.load);
  responses.admitList();
  return responses.listSlots.run(clientOf(ctx), async () => (ctx.res.closed ? undefined : await run()));
}

export async function listResources(ctx: Context, service: ResourceService): Promise<void> {
  const query = service.parseListQuery(ctx.state.query, ctx.state.principal?.access?.mark);
  await inListSlot(ctx, () => {
    // Lists that were queued before this one may have used up the limit.
    assertPresent(ctx.state.load).responses.admitList();
    return sendList(ctx, service, query);
  });
}
