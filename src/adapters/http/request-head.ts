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

/** RFC 9110 §10.1.1: there is one expectation. */
function checkExpectation(ctx: Context): void {
  const expected = ctx.req.headers.expect ?? '';
  if (expected !== '' && expected.toLowerCase() !== '100-continue')
    throw new HttpProblem('expectation-failed', 'The one expectation that can be met is 100-continue.');
}

/** @throws HttpProblem 431, 400, 417 */
export function checkHead(ctx: Context, { connections: { maxHeaderFields } }: HeadSettings): void {
  if (ctx.req.rawHeaders.length / 2 > maxHeaderFields)
    throw new HttpProblem('headers-too-large', `A request has at most ${maxHeaderFields} header fields.`);
  checkHost(ctx);
  checkExpectation(ctx);
}
