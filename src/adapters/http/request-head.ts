/** Checks the head of every request, since Node would drop or ignore fields, or refuse them without a reason. */
import type { Context, Step } from './pipeline/context.ts';
import { HttpProblem } from './problems/problems.ts';

export interface HeadSettings {
  readonly connections: {
    /** Node would silently drop further fields, Authorization among them. */
    readonly maxHeaderFields: number;
  };
}

/** By `rawHeaders`: in `headers` Node keeps the first Authorization and Host and drops the others. @param name in lower case */
export function countFields({ req: { rawHeaders } }: Pick<Context, 'req'>, name: string): number {
  let count = 0;
  // Names and values alternate. Few names have this length, so few are converted to lower case.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const field = rawHeaders[index];
    if (field?.length === name.length && field.toLowerCase() === name) count += 1;
  }
  return count;
}

/** RFC 9110 §7.2: `uri-host [ ":" port ]`, which may be empty. */
const hostPattern = /^(?:\[[0-9A-Za-z:.]+\]|(?:[0-9A-Za-z._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)(?::\d*)?$/;

const absoluteTarget = /^[A-Za-z]+:\/\/([^/?#]*)/;

/**
 * Reduces an absolute target to its path and query (RFC 9112 §3.2.2), and removes a fragment. Koa would parse both with `url.parse`, which throws for
 * some hosts and makes Node print a warning.
 */
export function readTarget({ req }: Context): void {
  const { url = '' } = req;
  const [start = ''] = absoluteTarget.exec(url) ?? [];
  const end = url.indexOf('#');
  if (start === '' && end === -1) return;
  const rest = url.slice(start.length, end === -1 ? undefined : end);
  req.url = rest.startsWith('/') ? rest : `/${rest}`;
}

/** Fields that several steps parse, with the number of characters that they read. Browsers send ten members in a hundred characters. */
const parsedLists = ['accept', 'accept-encoding'] as const;
const [longList, longestList, maxMembers] = [1024, 4096, 100];

/**
 * Drops further members of what a client accepts, since a server may disregard the whole field (RFC 9110 §12.1): parsing thousands of members or
 * parameters would delay other requests.
 */
export function shortenLists({ req: { headers } }: Context): void {
  for (const name of parsedLists) {
    const text = headers[name];
    if (text === undefined || text.length <= longList) continue;
    const end = text.length > longestList ? Math.max(0, text.lastIndexOf(',', longestList)) : undefined;
    headers[name] = text.slice(0, end).split(',', maxMembers).join(',');
  }
}

/** The host of an absolute target has as little effect as Host. */
function checkTarget({ originalUrl }: Context): void {
  const host = absoluteTarget.exec(originalUrl)?.[1] ?? '';
  if (!hostPattern.test(host))
    throw new HttpProblem('malformed-request', 'The request target has an invalid host.');
}

/** RFC 9112 §3.2. Host has no effect here; but parties that read it differently would see different requests. */
function checkHost(ctx: Context): void {
  const times = countFields(ctx, 'host');
  if (times > 1) throw new HttpProblem('invalid-header', 'The request has more than one Host field.');
  if (times === 0 && ctx.req.httpVersion === '1.1')
    throw new HttpProblem('invalid-header', 'The request has no Host field.');
  if (!hostPattern.test(ctx.req.headers.host ?? ''))
    throw new HttpProblem('invalid-header', 'Host must be a host name or address, with or without a port.');
}

/**
 * Fields with an effect, of which Node keeps the first while a gateway may use the last. Host and Authorization have their own checks, and Node
 * checks Content-Length; fields that Node joins into a list lose nothing.
 */
const singleFields: readonly string[] = ['content-type', 'if-modified-since', 'if-unmodified-since'];

function checkSingleFields(ctx: Context): void {
  for (const name of singleFields)
    if (ctx.req.headers[name] !== undefined && countFields(ctx, name) > 1)
      throw new HttpProblem('invalid-header', `The request has more than one ${name} field.`);
}

/** The two sides may not agree where the body ends, so nothing more is read of the connection (RFC 9112 §6.1, §11.2). */
const closing = { Connection: 'close' };

/** RFC 9112 §6.1, §7: only `chunked`, once, since no other coding is supported here. Node itself refuses a field that doesn't end with it. */
function checkTransferCodings({ req }: Context): void {
  const field = req.headers['transfer-encoding'];
  if (field === undefined || (field === 'chunked' && req.httpVersion === '1.1')) return;
  if (req.httpVersion !== '1.1')
    throw new HttpProblem('malformed-request', 'HTTP/1.0 has no Transfer-Encoding.', closing);
  const codings = field.split(',').map((coding) => coding.trim().toLowerCase());
  // Node's parser ends the connection.
  if (codings.at(-1) !== 'chunked' && field.trim() !== '') return;
  if (codings.some((coding) => coding !== 'chunked' && coding !== ''))
    throw new HttpProblem('not-implemented', 'The only supported transfer coding is chunked.', closing);
  if (codings.length > 1 || field.trim() === '')
    throw new HttpProblem(
      'malformed-request',
      'Transfer-Encoding must name chunked once, or be omitted.',
      closing,
    );
}

/** RFC 9110 §10.1.1: 100-continue is the only expectation. */
function checkExpectation(ctx: Context): void {
  const expected = ctx.req.headers.expect ?? '';
  if (expected !== '' && expected.toLowerCase() !== '100-continue')
    throw new HttpProblem('expectation-failed', 'Only Expect: 100-continue is supported.');
}

/** @returns a step that throws HttpProblem 431, 400, 501, 417 */
export function checkHead({ connections: { maxHeaderFields } }: HeadSettings): Step {
  return (ctx) => {
    if (ctx.req.rawHeaders.length / 2 > maxHeaderFields)
      throw new HttpProblem(
        'headers-too-large',
        `A request may have at most ${maxHeaderFields} header fields.`,
      );
    checkTarget(ctx);
    checkHost(ctx);
    checkTransferCodings(ctx);
    checkSingleFields(ctx);
    checkExpectation(ctx);
  };
}
