/**
 * Content codings of answers (RFC 9110 §8.4.1, §12.5.3). A body in another coding is another representation with a tag of
 * its own, so which one it will be is settled here, before anything is compared; koa-compress then does the work.
 */
import { Readable } from 'node:stream';
import { constants } from 'node:zlib';
import compress from 'koa-compress';
import type { Context } from './context.ts';

/** Those there are beside `identity`, by the names that headers use. */
const offered = ['gzip', 'br'] as const;
export type Coding = 'identity' | (typeof offered)[number];

/** Smaller bodies go as they are: what they would save is less than a packet. In characters. */
const threshold = 1024;

/** Flushed after each piece, since a stream's reader waits for it; a window and a quality that keep memory and time small. */
const how = {
  gzip: { flush: constants.Z_SYNC_FLUSH },
  br: {
    flush: constants.BROTLI_OPERATION_FLUSH,
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
  },
} as const;

/** Only a weight of zero can refuse `identity`; without one there is nothing to find out about a small body. */
const zeroWeight = /;[ \t]*q=0/i;

/**
 * The coding for a body of so many characters, or for a stream.
 * What a client finds none of acceptable is sent as it is, as §12.5.3 allows.
 */
export function codingFor(ctx: Context, length = Number.POSITIVE_INFINITY): Coding {
  const header = ctx.headers['accept-encoding'];
  if (header === undefined || (length < threshold && !zeroWeight.test(header))) return 'identity';
  const small = length < threshold && ctx.acceptsEncodings('identity') !== false;
  return small ? 'identity' : ((ctx.acceptsEncodings(...offered, 'identity') || 'identity') as Coding);
}

/** Those that a client may be sent, `identity` first. */
export function acceptableCodings(ctx: Context): readonly Coding[] {
  if (ctx.headers['accept-encoding'] === undefined) return ['identity'];
  return ['identity', ...offered.filter((coding) => ctx.acceptsEncodings(coding) !== false)];
}

const compressed = compress({ threshold: 0, filter: () => true, encodingPreference: [...offered] });
const done = async (): Promise<void> => undefined;

/**
 * Sets the body in a coding that `codingFor` gave. koa-compress passes HEAD over, so that its headers would differ from
 * GET's, and lets a stream that fails hang for good; both are made up for here.
 */
export async function setBody(ctx: Context, body: string | Buffer | Readable, coding: Coding): Promise<void> {
  ctx.body = body;
  if (coding === 'identity') return;
  if (ctx.method === 'HEAD') {
    ctx.set('Content-Encoding', coding);
    // Without a length: neither does GET's answer have one.
    ctx.body = Readable.from([]);
    if (body instanceof Readable) body.destroy();
    return;
  }
  ctx.compress = { gzip: false, br: false, deflate: false, zstd: false, [coding]: how[coding] };
  if (body instanceof Readable) body.once('error', (error) => (ctx.body as Readable).destroy(error));
  await compressed(ctx as never, done);
}
