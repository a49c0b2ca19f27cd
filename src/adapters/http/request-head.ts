/** What any request's head must be, whatever it asks for: checked here where Node would drop, overlook or not say why. */
import type { Context } from './context.ts';
import { HttpProblem } from './problems.ts';

export interface HeadSettings {
  readonly connections: {
    /** Node would drop those beyond, Authorization among them, without a word. */
    readonly maxHeaderFields: number;
  };
}

/** How often a field was sent. Node keeps the first Authorization and Host and drops the others. */
export function timesSent({ req: { rawHeaders } }: Pick<Context, 'req'>, name: string): number {
  let count = 0;
  // Names and values by turns. Few names are of this length, so that few are put in lower case.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const field = rawHeaders[index];
    if (field?.length === name.length && field.toLowerCase() === name) count += 1;
  }
  return count;
}

/** RFC 9110 §7.2: `uri-host [ ":" port ]`, which may be empty. */
const host = /^(?:\[[0-9A-Za-z:.]+\]|(?:[0-9A-Za-z._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)(?::\d*)?$/;

/** RFC 9112 §3.2. It decides nothing here; but two parties who read it differently would not see the same request. */
function checkHost(ctx: Context): void {
  const times = timesSent(ctx, 'host');
  if (times > 1) throw new HttpProblem('invalid-header', 'The request has more than one Host field.');
  if (times === 0 && ctx.req.httpVersion === '1.1')
    throw new HttpProblem('invalid-header', 'The request has no Host field.');
  if (!host.test(ctx.req.headers.host ?? ''))
    throw new HttpProblem('invalid-header', 'Host is not a host, with a port or without.');
}

/**
 * Fields that decide something and of which Node keeps the first, so that another party may go by the last. Host and Authorization
 * have their own checks, Content-Length is Node's; what Node joins into a list means what it says there.
 */
const single: readonly string[] = ['content-type', 'if-modified-since', 'if-unmodified-since'];

function checkSingle(ctx: Context): void {
  for (const name of single) {
    if (ctx.req.headers[name] !== undefined && timesSent(ctx, name) > 1)
      throw new HttpProblem('invalid-header', `The request has more than one ${name} field.`);
  }
}

/** Where a body ends isn't agreed upon: nothing more is read of the connection (RFC 9112 §6.1, §11.2). */
const close = { Connection: 'close' };

/**
 * RFC 9112 §6.1, §7: `chunked` once and last, and nothing but it, since no other coding is known here. Node has refused what
 * doesn't end with it.
 */
function checkTransferCodings({ req }: Context): void {
  const field = req.headers['transfer-encoding'];
  if (field === undefined || (field === 'chunked' && req.httpVersion === '1.1')) return;
  if (req.httpVersion !== '1.1')
    throw new HttpProblem('malformed-request', 'HTTP/1.0 has no Transfer-Encoding.', close);
  const codings = field.split(',').map((coding) => coding.trim().toLowerCase());
  // Its connection is the parser's to refuse.
  if (codings.at(-1) !== 'chunked' && field.trim() !== '') return;
  if (codings.some((coding) => coding !== 'chunked' && coding !== ''))
    throw new HttpProblem('not-implemented', 'The one transfer coding that is known is chunked.', close);
  if (codings.length > 1 || field.trim() === '')
    throw new HttpProblem(
      'malformed-request',
      'Transfer-Encoding names chunked once, or is left out.',
      close,
    );
}

/** RFC 9110 §10.1.1: there is one expectation. */
function checkExpectation(ctx: Context): void {
  const expected = ctx.req.headers.expect ?? '';
  if (expected !== '' && expected.toLowerCase() !== '100-continue')
    throw new HttpProblem('expectation-failed', 'The one expectation that can be met is 100-continue.');
}

/** @throws HttpProblem 431, 400, 501, 417 */
export function checkHead(ctx: Context, { connections: { maxHeaderFields } }: HeadSettings): void {
  if (ctx.req.rawHeaders.length / 2 > maxHeaderFields)
    throw new HttpProblem('headers-too-large', `A request has at most ${maxHeaderFields} header fields.`);
  checkHost(ctx);
  checkTransferCodings(ctx);
  checkSingle(ctx);
  checkExpectation(ctx);
}
