/** GET /users: a page or everything, whole when it is small, else as a stream that the reader's pace drives. */
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { KeptUser } from '../../domain/kept-user.ts';
import { acceptableCodings, codingFor, setBody } from './codings.ts';
import { contentTag, heldTag, inCoding, isFresh } from './conditional.ts';
import { type Context, present, type Service } from './context.ts';
import { type ListQuery, parseListQuery } from './list-query.ts';
import { mediaTypeOf } from './negotiation.ts';
import type { UserPrinter } from './user-printer.ts';

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

/** A page's users, and whether there are more: one more than asked for is read to know. */
async function readPage(service: Service, ctx: Context, query: ListQuery, limit: number) {
  const users: KeptUser[] = [];
  const walk = { filters: query.filters, after: query.after, limit: limit + 1 };
  for await (const batch of service.users.list(present(ctx.state.principal), walk)) {
    users.push(...batch);
    await turn();
  }
  return { users: users.slice(0, limit), more: users.length > limit };
}

async function* single(users: KeptUser[]): AsyncGenerator<KeptUser[]> {
  if (users.length > 0) yield users;
}

async function batchesOf(service: Service, ctx: Context, query: ListQuery) {
  if (query.limit === undefined) {
    return {
      batches: service.users.list(present(ctx.state.principal), { filters: query.filters }),
      link: '',
    };
  }
  const { users, more } = await readPage(service, ctx, query, query.limit);
  const last = users.at(-1);
  const link = more && last ? `<${service.url('/users')}?${query.next(last.id)}>; rel="next"` : '';
  return { batches: single(users), link };
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
  ctx.set('Cache-Control', service.cacheControl);
  ctx.set('Content-Type', present(mediaTypeOf(choice)).contentType);
  if (link !== '') ctx.set('Link', link);
  if (!done) {
    const stream = Readable.from(wholeOrReset(ctx, body, pieces), {
      objectMode: false,
      highWaterMark: wholeListLength,
    });
    await setBody(ctx, stream, codingFor(ctx));
    return;
  }
  const tag = contentTag(body, choice, link);
  const coding = codingFor(ctx, body.length);
  const held = heldTag(ctx.headers, tag, () => acceptableCodings(ctx));
  ctx.set('ETag', held ?? inCoding(tag, coding));
  if (held !== undefined || isFresh(ctx.headers)) ctx.status = 304;
  else await setBody(ctx, body, coding);
}
