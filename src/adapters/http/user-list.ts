/** GET /users: a page or everything, whole when it is small, else as a stream that the reader's pace drives. */
import { Readable } from 'node:stream';
import type { KeptUser } from '../../domain/kept-user.ts';
import { codingState, type Held } from './answer-memory.ts';
import { acceptableCodings, type Coding, codingFor } from './codings.ts';
import { checkMatch, contentTag, heldTag, inCoding, isFresh } from './conditional.ts';
import { type Context, present, type Service } from './context.ts';
import { findRest, ofRest } from './list-page.ts';
import { type Beginning, begin, Pace, type Piece, print } from './list-pieces.ts';
import { type ListQuery, parseListQuery } from './list-query.ts';
import { mediaTypeOf } from './negotiation.ts';
import { respond } from './respond.ts';
import type { UserPrinter } from './user-printer.ts';

/** A list that prints to no more than this many characters is sent whole, with an entity tag. */
const wholeListLength = 256 * 1024;

/** How often a piece on its way is there: as stored, printed, ahead of its reader, and twice with the connection. */
const copiesOfPieces = 5;

interface List extends Beginning {
  readonly link: string;
  /** What follows the beginning. */
  readonly rest: AsyncGenerator<Piece, unknown, undefined>;
}

/** Ends when nobody is there any more to read them. */
async function* whileThere({ res }: Context, batches: AsyncIterable<KeptUser[]>) {
  for await (const batch of batches) {
    if (res.closed) return;
    yield batch;
  }
}

/** @throws HttpProblem 503 when it is long and enough others are on their way */
async function read(ctx: Context, service: Service, query: ListQuery, printer: UserPrinter): Promise<List> {
  const { filters, limit } = query;
  const pace = new Pace();
  const users = (after: string | undefined, most?: number) =>
    whileThere(
      ctx,
      service.users.list(present(ctx.state.principal), { filters, after, limit: most, atOnce: pace.atOnce }),
    );
  const linkTo = (last: string) => `<${service.url('/users')}?${query.next(last)}>; rel="next"`;

  // One more than asked for is read, to know whether there are more.
  const pieces = print(users(query.after, limit && limit + 1), printer, pace, limit);
  const beginning = await begin(pieces, printer, wholeListLength);
  const { last, done, more } = beginning;
  // Before more is read for it. It refuses what would be a stream too many.
  if (!done) present(ctx.state.load).stream(ctx);
  if (done || limit === undefined) return { ...beginning, link: more ? linkTo(last) : '', rest: pieces };
  await pieces.return(true);
  const left = limit - beginning.users;
  const rest = await findRest(users(last, left + 1), last, left);
  return {
    ...beginning,
    link: rest.more ? linkTo(rest.last) : '',
    rest: print(ofRest(users(last), rest), printer, pace),
  };
}

/**
 * The whole of it, or a reset of the connection: closed in order, it would tell a client of HTTP/1.0, or one behind a proxy that
 * speaks it, that the list ends there.
 * @param start its one element is taken out, so that it isn't kept for as long as the list takes
 */
async function* wholeOrReset(
  ctx: Context,
  start: string[],
  rest: List['rest'],
  { list }: UserPrinter,
  hold: Held,
): AsyncGenerator<string> {
  yield start.pop() ?? '';
  try {
    for await (const { text } of rest) {
      hold(text.length * copiesOfPieces);
      yield list.between + text;
    }
    yield list.close;
  } catch (error) {
    ctx.req.socket.resetAndDestroy();
    throw error;
  }
}

/** One piece ahead of its reader. Texts as they are: as bytes they would be copied once more. */
function streamOf(ctx: Context, start: string, rest: List['rest'], printer: UserPrinter, coding: Coding) {
  // Beside ours, those of Koa and of Node's pipeline: more than the ten that Node warns of.
  ctx.res.setMaxListeners(20);
  const held = present(ctx.state.load).answers.hold(ctx.res);
  const hold = (bytes: number) => held(bytes + codingState[coding]);
  hold(start.length * copiesOfPieces);
  const pieces = wholeOrReset(ctx, [start], rest, printer, hold);
  return Readable.from(pieces, { objectMode: true, highWaterMark: 1 });
}

async function answer(ctx: Context, service: Service, query: ListQuery): Promise<void> {
  const choice = present(ctx.state.choice);
  const printer = service.printer(choice.format);
  const { body, done, link, rest } = await read(ctx, service, query, printer);
  // First, since it may refuse the request. A list that is streamed has no tag, and no client a copy under one.
  const tag = done ? contentTag(body, choice, link) : '';
  checkMatch(ctx.headers, tag, () => acceptableCodings(ctx));
  const held = heldTag(ctx.headers, tag, () => acceptableCodings(ctx));
  const fresh = held !== undefined || isFresh(ctx.headers);
  const coding = codingFor(ctx, done ? body.length : undefined);
  const fields = ['Cache-Control', service.cacheControl];
  if (link !== '') fields.push('Link', link);
  if (done) fields.push('ETag', held ?? inCoding(tag, coding));
  if (fresh) {
    await rest.return(undefined);
    return respond(ctx, { status: 304, fields });
  }
  const content = done ? body : streamOf(ctx, body, rest, printer, coding);
  fields.push('Content-Type', present(mediaTypeOf(choice)).contentType);
  return respond(ctx, { status: 200, fields, content, coding });
}

export async function listUsers(ctx: Context, service: Service): Promise<void> {
  const query = parseListQuery(ctx.querystring);
  const { answers } = present(ctx.state.load);
  answers.admitList();
  const finish = await answers.collect();
  try {
    if (ctx.res.closed) return;
    // Those who went before may have taken the room.
    answers.admitList();
    return await answer(ctx, service, query);
  } finally {
    finish();
  }
}
