/**
 * Sends every response of the application. Node gets the head in one call: setting each field, with the checks of Koa and of Node, would
 * take a tenth of the time of a small read.
 */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Format } from '../../formats/port/format.ts';
import { mediaTypeOf } from '../headers/negotiation.ts';
import type { DocumentType } from './api.ts';
import { type Coding, codingFor, setBody } from './codings.ts';
import { assertPresent, type Context } from './context.ts';

interface Response {
  readonly status: number;
  /** Names and values alternate, without the fields of every response and of the content. Names are unique: a repeated field has a list of values. */
  readonly fields: readonly (string | string[])[];
  /** RFC 9110 §6.4. Left out: none. */
  readonly content?: string | Buffer | Readable;
  /** Content-Encoding: the content is given without it, and encoded here. */
  readonly coding?: Coding;
  /** The request fields that chose the answer, also for errors and 304 (RFC 9110 §12.5.5); left out: those of a negotiated answer. */
  readonly vary?: string;
}

const negotiatedVary = 'Accept, Accept-Encoding';

/** With a profile, credentials see a part of the directory: no cache may give any response of one client to another. */
export const varyFor = ({ res, state }: Context, vary?: string): string =>
  `${varyOf(res, vary)}${state.principal?.access === undefined ? '' : ', Authorization'}`;

/** Includes the fields that CORS (`../cors.ts`) has already set on the response. */
export function varyOf(response: ServerResponse, vary = negotiatedVary): string {
  const more = response.getHeader('Vary');
  return more === undefined ? vary : `${vary}, ${more}`;
}

function commonFields(ctx: Context, vary: string | undefined): string[] {
  const { requestId } = ctx.state;
  return ['X-Request-Id', requestId, 'X-Content-Type-Options', 'nosniff', 'Vary', varyFor(ctx, vary)];
}

/** Statuses whose answers end with their head (RFC 9110 §6.4.1). */
const hasNoContent = (status: number): boolean => status === 204 || status === 304;

/** Counts the encoded bytes of the response's stream, once it is connected. */
function countStreamed({ state, res }: Context): void {
  state.responseBytes = 0;
  res.once('pipe', (source: Readable) => {
    source.on('data', (chunk: string | Buffer) => {
      state.responseBytes = (state.responseBytes ?? 0) + Buffer.byteLength(chunk);
    });
  });
}

/** Whole content is sent at once. Koa sends streams and content that needs encoding when the middleware has finished. */
export function respond(ctx: Context, response: Response): Promise<void> | undefined {
  const { status, fields, content = '', coding = 'identity', vary } = response;
  // The server has meanwhile refused a malformed request.
  if (ctx.res.headersSent) {
    if (content instanceof Readable) content.destroy();
    return undefined;
  }
  const all: (string | string[])[] = [...commonFields(ctx, vary), ...fields];
  if (content instanceof Readable || coding !== 'identity') {
    ctx.status = status;
    for (let at = 0; at < all.length; at += 2) ctx.set(String(all[at]), all[at + 1] ?? '');
    if (!(content instanceof Readable))
      ctx.state.load?.responses.trackEncoding(ctx.res, content.length, coding);
    countStreamed(ctx);
    return setBody(ctx, content, coding);
  }
  if (!hasNoContent(status)) {
    const length = Buffer.byteLength(content);
    all.push('Content-Length', String(length));
    if (ctx.req.method !== 'HEAD') ctx.state.responseBytes = length;
  }
  // Node sends no content in response to a HEAD, even if it gets some.
  ctx.status = status;
  ctx.res.writeHead(status, all).end(content);
  // Buffers hold static documents, which all responses share.
  if (typeof content === 'string') ctx.state.load?.responses.trackUnsent(ctx.res);
  return undefined;
}

/** Sends a document in the negotiated format. No cache may keep it. */
export async function respondUnstored(ctx: Context, content: string): Promise<void> {
  const { contentType } = assertPresent(mediaTypeOf(assertPresent(ctx.state.choice)));
  const fields = ['Cache-Control', 'no-store', 'Content-Type', contentType];
  await respond(ctx, { status: 200, fields, content, coding: codingFor(ctx, content.length) });
}

/** @returns sends a document of this kind in the negotiated format, as `respondUnstored` does */
export function unstoredResponder<T extends object>(
  formats: readonly Format[],
  { schema, naming }: DocumentType,
): (ctx: Context, value: T) => Promise<void> {
  const codecs = new Map(formats.map((format) => [format, format.codec<T>(schema, naming)] as const));
  return (ctx, value) => {
    const { format } = assertPresent(ctx.state.choice);
    return respondUnstored(ctx, assertPresent(codecs.get(format)).print(value));
  };
}
