/**
 * Reads a request body; its media type, coding and size are checked before a byte of it is read. Memory is reserved for it
 * (`request-budget.ts`), koa-bodyparser reads and counts its bytes, and it is decoded when it is whole. koa-bodyparser
 * returns bytes, since its own decoding turns malformed UTF-8 into U+FFFD, ignores `charset` and takes an empty body for `{}`.
 */
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import bodyParser from 'koa-bodyparser';
import type { DocumentKind, Format } from '../../formats/port/format.ts';
import { type Negotiator, parseMediaType } from '../headers/negotiation.ts';
import { HttpProblem } from '../problems/problems.ts';
import type { Api } from './api.ts';
import { assertPresent, type Context, clientOf, type Load, type MountedApi } from './context.ts';
import { overloadedProblem } from './overload.ts';
import type { BodyReservation } from './request-budget.ts';

/** The supported content codings of a body (RFC 9110 §8.4.1). */
export const bodyCodings: readonly string[] = ['gzip', 'deflate', 'br', 'identity'];

/** The supported media types of a body: a merge patch has its own beside the formats' (RFC 7396 §4). */
export const bodyTypes = (formats: readonly Format[], kind: DocumentKind): readonly string[] =>
  formats.flatMap(({ mediaTypes, patchTypes }) => [
    ...mediaTypes.map(({ type }) => type),
    ...(kind === 'patch' ? patchTypes : []),
  ]);

/** By method: the header of a 415 with the supported media types (RFC 9110 §12.5.1, RFC 5789 §3.1). */
const acceptHeaders: Readonly<Record<string, string>> = { POST: 'Accept-Post', PATCH: 'Accept-Patch' };

/** In characters: how much of the client's Content-Type an error repeats. */
const maxTypeShown = 128;

// co-body passes this to raw-body, where null means bytes. The types don't have it.
const asBytes = { encoding: null };

function typeOf(ctx: Context, supported: readonly string[]) {
  const given = ctx.get('Content-Type');
  const media = parseMediaType(given);
  if (media !== undefined && supported.includes(media.type)) return media;
  const list = supported.join(', ');
  const sent = given === '' ? 'missing' : (media?.type.slice(0, maxTypeShown) ?? 'no media type');
  throw new HttpProblem(
    'unsupported-media-type',
    `Content-Type is ${sent}. Send one of these media types: ${list}.`,
    { [acceptHeaders[ctx.method] ?? 'Accept']: list },
  );
}

function codingOf(ctx: Context): string {
  const given = ctx.get('Content-Encoding').trim().toLowerCase() || 'identity';
  const coding = given === 'x-gzip' ? 'gzip' : given;
  if (bodyCodings.includes(coding)) return coding;
  const list = bodyCodings.filter((name) => name !== 'identity').join(', ');
  throw new HttpProblem('unsupported-content-coding', `Send the body as it is or in one of: ${list}.`, {
    'Accept-Encoding': list,
  });
}

const bodyTooLarge = (limit: number) =>
  new HttpProblem('body-too-large', `A body has at most ${limit} bytes after decoding.`);

const incompleteBody = () => new HttpProblem('unreadable-body', 'The body ended before it was whole.');

/** The problem for an error of zlib, co-body or the connection; any other error is returned unchanged. */
function toProblem(error: unknown, limit: number): Error {
  const { status, type, code } = Object(error) as { status?: unknown; type?: unknown; code?: unknown };
  if (status === 413 || code === 'ERR_BUFFER_TOO_LARGE') return bodyTooLarge(limit);
  if (String(code).startsWith('Z_') || String(code).startsWith('ERR_') || type === 'request.size.invalid')
    return new HttpProblem('unreadable-body', 'The body is not what its Content-Encoding says.');
  if (type === 'request.aborted' || code === 'ECONNRESET') return incompleteBody();
  return error instanceof Error ? error : new Error(String(error));
}

/** With any other method a body has no meaning (RFC 9110 §9.3.1). */
const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Before the body is read: its format is preferred for the answer, even for an error. */
export function noteBodyFormat(ctx: Context): void {
  if (!methodsWithBody.has(ctx.req.method ?? '')) return;
  const media = parseMediaType(ctx.get('Content-Type'));
  const choice = media && ctx.state.mounted.negotiator.choiceOf(media.type);
  if (choice !== undefined) ctx.state.bodyChoice = choice;
}

/** In bytes, measured: the objects and the memory block of a chunk, besides its content. koa-bodyparser keeps every chunk. */
const memoryOfChunk = 512;

/**
 * A request's body for koa-bodyparser: the parts of a stream that it uses. Alone, koa-bodyparser has no limit over all requests, and waits for ever
 * for the rest of an interrupted body.
 */
class BodyStream extends EventEmitter {
  /** Without Content-Encoding: koa-bodyparser gets the bytes as received. */
  readonly headers: { readonly 'content-length'?: string | undefined };
  readonly #request: IncomingMessage;
  readonly #reservation: BodyReservation;

  constructor(request: IncomingMessage, reservation: BodyReservation) {
    super();
    this.#request = request;
    this.#reservation = reservation;
    this.headers = { 'content-length': request.headers['content-length'] };
  }

  /** Begins to read. @param makeError makes the error for a connection that ends before the body */
  start(makeError: () => Error): this {
    const request = this.#request;
    request.on('data', this.#take);
    request.once('end', this.#end);
    request.once('error', this.fail);
    request.once('close', () => {
      if (!request.complete) this.fail(makeError());
    });
    return this;
  }

  /** Final: koa-bodyparser calls it on a body that is too large. */
  pause(): void {
    this.#request.off('data', this.#take).off('end', this.#end);
    this.#request.pause();
  }

  readonly fail = (error: Error): void => {
    // A stream that has ended already has no listeners.
    if (this.listenerCount('error') > 0) this.emit('error', error);
  };

  readonly #take = (chunk: Buffer): void => {
    this.#reservation.grow(chunk.length + memoryOfChunk);
    this.emit('data', chunk);
  };

  readonly #end = (): void => {
    this.emit('end');
  };
}

type Parser = ReturnType<typeof bodyParser>;

/** All bytes of the body, before decoding. */
async function receive(ctx: Context, { bodies }: Load, parser: Parser): Promise<Buffer> {
  const reservation = bodies.reserve(() => stream.fail(overloadedProblem()));
  ctx.state.bodyReservation = reservation;
  const stream = new BodyStream(ctx.req, reservation);
  const request: { body?: unknown; is: () => boolean } = { is: () => true };
  // The parts of a context that koa-bodyparser reads.
  const context = { req: stream, request } as unknown as Parameters<Parser>[0];
  const parsing = parser(context, async () => undefined);
  stream.start(incompleteBody);
  await parsing;
  reservation.settle();
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  ctx.state.requestBytes = body.length;
  return body;
}

/** One reader for each limit. */
interface ParserOptions {
  readonly parser: Parser;
  /** Bytes after decoding. */
  readonly limit: number;
}

const parserFor = (limit: number): ParserOptions => ({
  parser: bodyParser({ enableTypes: ['text'], textLimit: String(limit), ...asBytes }),
  limit,
});

/** The body after decoding; its memory is counted before and after. @throws HttpProblem 503 if there is no room for it */
async function readContent(ctx: Context, coding: string, load: Load, { parser, limit }: ParserOptions) {
  const bytes = await receive(ctx, load, parser);
  const content = await load.bodies.inflate(clientOf(ctx), bytes, coding, limit);
  if (content !== bytes && ctx.state.bodyReservation?.grow(content.length) === false)
    throw overloadedProblem();
  return content;
}

/** @returns a reader of this API's bodies, in its formats and up to its limit */
export function bodyReader(
  { formats, maxBodyBytes = 0 }: Api,
  { choiceOf }: Negotiator,
): MountedApi['readBody'] {
  const wholeTypes = bodyTypes(formats, 'whole');
  const patchTypes = bodyTypes(formats, 'patch');
  const parsers = new Map<number, ParserOptions>();
  return async (ctx) => {
    const limit = ctx.state.route?.takes?.maxBytes ?? maxBodyBytes;
    const options = parsers.get(limit) ?? parserFor(limit);
    parsers.set(limit, options);
    const { type, parameters } = typeOf(
      ctx,
      ctx.state.route?.takes?.kind === 'patch' ? patchTypes : wholeTypes,
    );
    const coding = codingOf(ctx);
    if (Number(ctx.get('Content-Length')) > limit) throw bodyTooLarge(limit);
    // The client disconnected while its credentials were checked: the request would emit no event for it.
    if (ctx.req.destroyed && !ctx.req.complete) throw incompleteBody();
    const load = assertPresent(ctx.state.load);
    const bytes = await load
      .awaitBody(ctx, () => readContent(ctx, coding, load, options))
      .catch((error: unknown) => {
        throw toProblem(error, limit);
      });
    return { bytes, format: assertPresent(choiceOf(type)).format, charset: parameters.get('charset') };
  };
}
