/**
 * Content codings of answers (RFC 9110 §8.4.1, §12.5.3). A body in another coding is another representation with its own tag, so the coding is chosen
 * before any tag is compared; koa-compress then does the work.
 */
import { Readable } from 'node:stream';
import { constants } from 'node:zlib';
import type { Context } from 'koa';
import compress from 'koa-compress';

/** The codings besides `identity`, in order of preference. */
const offered = ['gzip', 'br'] as const;
export type Coding = 'identity' | (typeof offered)[number];

/** In characters: compressing a smaller body would save less than one packet. */
const threshold = 1024;

/** Flushed after each chunk, since a stream's reader waits for it; window and quality keep memory and time small. */
const compressOptions = {
  gzip: { flush: constants.Z_SYNC_FLUSH },
  br: {
    flush: constants.BROTLI_OPERATION_FLUSH,
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
  },
} as const;

/** Only a weight of zero can refuse `identity`: without one a small body is sent uncompressed, and nothing has to be parsed. */
const zeroWeight = /;[ \t]*q=0/i;

/**
 * A client that accepts no coding at all gets the body without one, as §12.5.3 allows.
 * @param length in characters; left out for a stream
 */
export function codingFor(ctx: Context, length = Number.POSITIVE_INFINITY): Coding {
  const header = ctx.headers['accept-encoding'];
  if (header === undefined || (length < threshold && !zeroWeight.test(header))) return 'identity';
  const small = length < threshold && ctx.acceptsEncodings('identity') !== false;
  return small ? 'identity' : ((ctx.acceptsEncodings(...offered, 'identity') || 'identity') as Coding);
}

/** Every coding in which this client may have received the body, `identity` first. */
export function acceptableCodings(ctx: Context): readonly Coding[] {
  if (ctx.headers['accept-encoding'] === undefined) return ['identity'];
  return ['identity', ...offered.filter((coding) => ctx.acceptsEncodings(coding) !== false)];
}

const compressBody = compress({ threshold: 0, filter: () => true, encodingPreference: [...offered] });
const noNext = async (): Promise<void> => undefined;

/**
 * Corrects two faults of koa-compress: it skips HEAD, so that its fields would differ from GET's, and it hangs for ever when a stream fails. @param
 * coding from `codingFor`
 */
export async function setBody(ctx: Context, body: string | Buffer | Readable, coding: Coding): Promise<void> {
  ctx.body = body;
  if (coding === 'identity') return;
  if (ctx.method === 'HEAD') {
    ctx.set('Content-Encoding', coding);
    // Without a length, like the answer to a GET.
    ctx.body = Readable.from([]);
    if (body instanceof Readable) body.destroy();
    return;
  }
  ctx.compress = { gzip: false, br: false, deflate: false, zstd: false, [coding]: compressOptions[coding] };
  if (body instanceof Readable) body.once('error', (error) => (ctx.body as Readable).destroy(error));
  await compressBody(ctx, noNext);
}
