/**
 * Reads a request body: media type, coding and size are judged before a byte of it is read.
 * koa-bodyparser reads and counts what arriving.ts hands it, and inflate.ts inflates. It is asked for bytes, since by itself it
 * turns what isn't UTF-8 into U+FFFD, ignores `charset` and takes an empty body for `{}`.
 */
import bodyParser from 'koa-bodyparser';
import type { DocumentKind, Format } from '../formats/format.ts';
import type { Api } from './api.ts';
import { Arriving } from './arriving.ts';
import { assertPresent, type Context } from './context.ts';
import { parseMediaType } from './media-type.ts';
import type { Negotiator } from './negotiation.ts';
import { type Load, refused } from './overload.ts';
import { HttpProblem } from './problems.ts';

/** A body as it arrived, decoded from its content coding, and what its Content-Type says of it. */
export interface ReceivedBody {
  readonly bytes: Buffer;
  readonly format: Format;
  readonly charset: string | undefined;
}

/** @throws HttpProblem 415, 413, 400, in this order */
export type BodyReader = (ctx: Context) => Promise<ReceivedBody>;

/** The content codings that a body may come in (RFC 9110 §8.4.1). */
export const bodyCodings: readonly string[] = ['gzip', 'deflate', 'br', 'identity'];

/** The media types that a body may have: a merge patch has one of its own beside the formats' (RFC 7396 §4). */
export const bodyTypes = (formats: readonly Format[], kind: DocumentKind): readonly string[] =>
  formats.flatMap(({ mediaTypes, patchTypes }) => [
    ...mediaTypes.map(({ type }) => type),
    ...(kind === 'patch' ? patchTypes : []),
  ]);

/** The header that tells, with a 415, what would do (RFC 9110 §12.5.1, RFC 5789 §3.1). */
const acceptHeader: Readonly<Record<string, string>> = { POST: 'Accept-Post', PATCH: 'Accept-Patch' };

// co-body hands this on to raw-body, where null means: bytes. The types don't know of it.
const asBytes = { encoding: null };

function typeOf(ctx: Context, supported: readonly string[]) {
  const media = parseMediaType(ctx.get('Content-Type'));
  if (media !== undefined && supported.includes(media.type)) return media;
  const list = supported.join(', ');
  throw new HttpProblem('unsupported-media-type', `Send one of these media types: ${list}.`, {
    [acceptHeader[ctx.method] ?? 'Accept']: list,
  });
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

const tooLarge = (limit: number) =>
  new HttpProblem('body-too-large', `A body has at most ${limit} bytes after decoding.`);

const notWhole = () => new HttpProblem('unreadable-body', 'The body ended before it was whole.');

function describeFailure(error: unknown, limit: number): Error {
  const { status, type, code } = Object(error) as { status?: unknown; type?: unknown; code?: unknown };
  if (status === 413 || code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(limit);
  if (String(code).startsWith('Z_') || String(code).startsWith('ERR_') || type === 'request.size.invalid')
    return new HttpProblem('unreadable-body', 'The body is not what its Content-Encoding says.');
  if (type === 'request.aborted' || code === 'ECONNRESET') return notWhole();
  return error instanceof Error ? error : new Error(String(error));
}

/** The methods whose body counts; one that comes with another is nobody's (RFC 9110 §9.3.1). */
const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** The format that the body says it is in: preferred for the answer, an error's too. */
export function noteBodyFormat(ctx: Context): void {
  if (!withBody.has(ctx.req.method ?? '')) return;
  const media = parseMediaType(ctx.get('Content-Type'));
  const choice = media && ctx.state.mounted.negotiator.choiceOf(media.type);
  if (choice !== undefined) ctx.state.bodyChoice = choice;
}

type Parser = ReturnType<typeof bodyParser>;

/** All of it, in the coding that it comes in. */
async function receive(ctx: Context, { bodies }: Load, parser: Parser): Promise<Buffer> {
  const holding = bodies.hold(() => arriving.fail(refused()));
  ctx.state.body = holding;
  const arriving = new Arriving(ctx.req, holding);
  const request: { body?: unknown; is: () => boolean } = { is: () => true };
  const whole = parser({ req: arriving, request } as never, async () => undefined);
  arriving.begin(notWhole);
  await whole;
  holding.settle();
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/** What a body is read with, made once for each API. */
interface Reading {
  readonly parser: Parser;
  /** After decoding, in bytes. */
  readonly limit: number;
}

/** The content, decoded. What it grew by counts too. @throws HttpProblem 503 when there is no room for that */
async function readContent(ctx: Context, coding: string, load: Load, { parser, limit }: Reading) {
  const bytes = await receive(ctx, load, parser);
  const content = await load.bodies.inflate(bytes, coding, limit);
  if (content !== bytes && ctx.state.body?.add(content.length) === false) throw refused();
  return content;
}

export function bodyReader({ formats, maxBodyBytes: limit }: Api, { choiceOf }: Negotiator): BodyReader {
  const wholes = bodyTypes(formats, 'whole');
  const patches = bodyTypes(formats, 'patch');
  const parser = bodyParser({ enableTypes: ['text'], textLimit: String(limit), ...asBytes });
  return async (ctx) => {
    const { type, parameters } = typeOf(ctx, ctx.state.route?.takes?.kind === 'patch' ? patches : wholes);
    const coding = codingOf(ctx);
    if (Number(ctx.get('Content-Length')) > limit) throw tooLarge(limit);
    // Gone while its credentials were checked: nothing will come, not even word of that.
    if (ctx.req.destroyed && !ctx.req.complete) throw notWhole();
    const load = assertPresent(ctx.state.load);
    const bytes = await load
      .arrival(() => readContent(ctx, coding, load, { parser, limit }))
      .catch((error: unknown) => {
        throw describeFailure(error, limit);
      });
    return { bytes, format: assertPresent(choiceOf(type)).format, charset: parameters.get('charset') };
  };
}
