/**
 * Reads a request body: media type, coding and size are judged before a byte of it is read.
 * koa-bodyparser reads and counts what arriving.ts hands it, and inflate.ts inflates. It is asked for bytes, since by itself it
 * turns what isn't UTF-8 into U+FFFD, ignores `charset` and takes an empty body for `{}`.
 */
import bodyParser from 'koa-bodyparser';
import type { Parsed } from '../formats/format.ts';
import { formats } from '../formats/index.ts';
import { Arriving } from './arriving.ts';
import { type Context, present, type Service } from './context.ts';
import { parseMediaType } from './media-type.ts';
import { choiceOf } from './negotiation.ts';
import { type Load, refused } from './overload.ts';
import { HttpProblem } from './problems.ts';

/** The most a body takes after decoding, in bytes: more than any user takes in XML in UTF-16. */
export const maxBodyBytes = 256 * 1024;

/** The content codings that a body may come in (RFC 9110 §8.4.1). */
export const bodyCodings: readonly string[] = ['gzip', 'deflate', 'br', 'identity'];

/** The media types that a body may have: a merge patch has one of its own beside the formats' (RFC 7396 §4). */
export const bodyTypes = (method: string): readonly string[] =>
  formats.flatMap(({ mediaTypes, patchTypes }) => [
    ...mediaTypes.map(({ type }) => type),
    ...(method === 'PATCH' ? patchTypes : []),
  ]);

const typesOfPatches = bodyTypes('PATCH');
const typesOfOthers = bodyTypes('POST');

/** The header that tells, with a 415, what would do (RFC 9110 §12.5.1, RFC 5789 §3.1). */
const acceptHeader: Readonly<Record<string, string>> = { POST: 'Accept-Post', PATCH: 'Accept-Patch' };

// co-body hands this on to raw-body, where null means: bytes. The types don't know of it.
const asBytes = { encoding: null };

const parser = bodyParser({
  enableTypes: ['text'],
  textLimit: String(maxBodyBytes),
  ...asBytes,
});

function typeOf(ctx: Context) {
  const media = parseMediaType(ctx.get('Content-Type'));
  const supported = ctx.method === 'PATCH' ? typesOfPatches : typesOfOthers;
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

const tooLarge = () =>
  new HttpProblem('body-too-large', `A body has at most ${maxBodyBytes} bytes after decoding.`);

const notWhole = () => new HttpProblem('unreadable-body', 'The body ended before it was whole.');

function unreadable(error: unknown): Error {
  const { status, type, code } = Object(error) as { status?: unknown; type?: unknown; code?: unknown };
  if (status === 413 || code === 'ERR_BUFFER_TOO_LARGE') return tooLarge();
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
  const choice = media && choiceOf(media.type);
  if (choice !== undefined) ctx.state.bodyChoice = choice;
}

/** All of it, in the coding that it comes in. */
async function received(ctx: Context, { bodies }: Load): Promise<Buffer> {
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

/** The content. What it grew by counts too. @throws HttpProblem 503 when there is no room for that */
async function inflated(ctx: Context, bytes: Buffer, coding: string, { bodies }: Load): Promise<Buffer> {
  const content = await bodies.inflate(bytes, coding, maxBodyBytes);
  if (content !== bytes && ctx.state.body?.add(content.length) === false) throw refused();
  return content;
}

/** @throws HttpProblem 415, 413, 503, 400, in this order; UnreadableError */
export async function readBody(ctx: Context, service: Service): Promise<Parsed> {
  const { type, parameters } = typeOf(ctx);
  const coding = codingOf(ctx);
  if (Number(ctx.get('Content-Length')) > maxBodyBytes) throw tooLarge();
  // Gone while its credentials were checked: nothing will come, not even word of that.
  if (ctx.req.destroyed && !ctx.req.complete) throw notWhole();
  const load = present(ctx.state.load);
  const content = await load
    .arrival(async () => inflated(ctx, await received(ctx, load), coding, load))
    .catch((error: unknown) => {
      throw unreadable(error);
    });
  const { format } = present(choiceOf(type));
  return load.inTurns(service.codec(format).read(content, parameters.get('charset')));
}
