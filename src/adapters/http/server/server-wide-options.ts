/** `OPTIONS *` (RFC 9110 §9.3.7), which addresses the service as a whole. */
import type { Api } from '../core/api.ts';
import type { Context, Next } from '../core/context.ts';
import { respond } from '../core/respond.ts';
import { HttpProblem } from '../problems/problems.ts';

/**
 * Takes no credentials (RFC 9110 §9.3.7): it names no resource, and its answer stands in the contract, which is open to all.
 * @throws HttpProblem 400: no other method has that target (RFC 9112 §3.2.4)
 */
export function answerServerWideOptions(apis: readonly Api[]) {
  const methods = apis.flatMap(({ routes }) => routes.map(({ method }): string => method));
  const allow = [...new Set([...methods, 'HEAD', 'OPTIONS'])].sort().join(', ');
  return (ctx: Context, next: Next): Promise<unknown> | undefined => {
    if (ctx.req.url !== '*') return next();
    ctx.state.route = { path: '*' };
    if (ctx.method !== 'OPTIONS')
      throw new HttpProblem('malformed-request', 'The target * goes with OPTIONS alone.');
    return respond(ctx, { status: 204, fields: ['Allow', allow] });
  };
}
