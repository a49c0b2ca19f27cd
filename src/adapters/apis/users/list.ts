/** GET /users: a page or everything, whole when it is small, else as a stream that the reader's pace drives. */
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { KeptUser } from '../../../domain/stored-user.ts';
import { acceptableCodings, codingFor } from '../../http/codings.ts';
import { contentTag, heldTag, inCoding, isFresh } from '../../http/conditional.ts';
import { type Context, present, type Service } from '../../http/context.ts';
import { mediaTypeOf } from '../../http/negotiation.ts';
import { respond } from '../../http/respond.ts';
import { type ListQuery, parseListQuery } from './list-query.ts';
import type { UserPrinter } from './printer.ts';

/** A list that prints to no more than this many characters is sent whole, with an entity tag. */
const wholeListLength = 256 * 1024;

/** The document in pieces, one a batch. Between batches the event loop gets its turn, however fast store and reader are. */
async function* print(batches: AsyncIterable<KeptUser[]>, { list }: UserPrinter): AsyncGenerator<string> {
  let lead = list.open;
  for await (const batch of batches) {
    yield lead + batch.map((user) => list.item(user)).join(list.between);
    lead = list.between;
    await turn();
  }
  yield lead === list.open ? list.open + list.close : list.close;
}

/**
 * The whole of it, or a reset of the connection: closed in order, it would tell a client of HTTP/1.0, or one behind a proxy that
 * speaks it, that the list ends there.
 */
async function* wholeOrReset(
  ctx: Context,
  first: string,
  rest: AsyncGenerator<string>,
): AsyncGenerator<string> {
  yield first;
  try {
    yield* rest;
  } catch (error) {
    ctx.req.socket.resetAndDestroy();
    throw error;
  }
}

/** A page's users as they were read, and whether there are more: one more than asked for is read to know. */
async function readPage(service: Service, ctx: Context, query: ListQuery, limit: number) {
  const batches: KeptUser[][] = [];
  let left = limit;
  const walk = { filters: query.filters, after: query.after, limit: limit + 1 };
  for await (const batch of service.users.list(present(ctx.state.principal), walk)) {
    if (left > 0) batches.push(batch.slice(0, left));
    left -= batch.length;
    await turn();
  }
  return { batches, more: left < 0 };
}

async function* inTurn(batches: KeptUser[][]): AsyncGenerator<KeptUser[]> {
  yield* batches;
}

async function batchesOf(service: Service, ctx: Context, query: ListQuery) {
  if (query.limit === undefined) {
    return {
      batches: service.users.list(present(ctx.state.principal), { filters: query.filters }),
      link: '',
    };
  }
  const { batches, more } = await readPage(service, ctx, query, query.limit);
  const last = batches.at(-1)?.at(-1);
  const link = more && last ? `<${service.url('/users')}?${query.next(last.id)}>; rel="next"` : '';
  return { batches: inTurn(batches), link };
}

export async function listUsers(ctx: Context, service: Service): Promise<void> {
  const choice = present(ctx.state.choice);
  const { batches, link } = await batchesOf(service, ctx, parseListQuery(ctx.querystring));
  const pieces = print(batches, service.printer(choice.format));
  let body = '';
  let done = false;
  while (!done && body.length <= wholeListLength) {
    const piece = await pieces.next();
    done = piece.done === true;
    body += piece.value ?? '';
  }
  // First, since it may refuse the request. A list that is streamed has no tag, and no client a copy under one.
  const tag = done ? contentTag(body, choice, link) : '';
  const held = heldTag(ctx.headers, tag, () => acceptableCodings(ctx));
  const fresh = held !== undefined || isFresh(ctx.headers);
  const coding = codingFor(ctx, done ? body.length : undefined);
  const fields = ['Cache-Control', service.cacheControl];
  if (link !== '') fields.push('Link', link);
  if (done) fields.push('ETag', held ?? inCoding(tag, coding));
  if (fresh) {
    await pieces.return(undefined);
    return respond(ctx, { status: 304, fields });
  }
  if (!done) present(ctx.state.load).stream(ctx);
  fields.push('Content-Type', present(mediaTypeOf(choice)).contentType);
  const content = done ? body : streamOf(wholeOrReset(ctx, body, pieces));
  return respond(ctx, { status: 200, fields, content, coding });
}

/** One piece ahead of its reader. Texts as they are: as bytes they would be copied once more. */
const streamOf = (pieces: AsyncGenerator<string>): Readable =>
  Readable.from(pieces, { objectMode: true, highWaterMark: 1 });
