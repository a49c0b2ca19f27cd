/** What stands above the routes: `/`, where people begin, and `*`, the service as a whole. Open, as what is published. */
import type { Context } from './context.ts';
import { HttpProblem } from './problems.ts';
import { respond } from './respond.ts';
import { routes } from './routes.ts';
import { type UrlSettings, urls } from './urls.ts';

const allow = 'GET, HEAD, OPTIONS';
const allOfThem = [...new Set([...routes.map(({ method }) => method), 'HEAD', 'OPTIONS'])].sort().join(', ');

/**
 * `OPTIONS *` (RFC 9110 §9.3.7) takes no credentials: it names no resource, and tells what the contract tells everybody.
 * False for any other target. @throws HttpProblem 400: no other method has it (RFC 9112 §3.2.4)
 */
export function asterisk(ctx: Context): boolean {
  if (ctx.req.url !== '*') return false;
  ctx.state.route = '*';
  if (ctx.method !== 'OPTIONS')
    throw new HttpProblem('malformed-request', 'The target * goes with OPTIONS alone.');
  respond(ctx, { status: 204, fields: ['Allow', allOfThem] });
  return true;
}

/** Leads people from the root to the documentation. False for any other path. @throws HttpProblem 405 */
export function root(settings: UrlSettings): (ctx: Context, path: string) => boolean {
  const { basePath } = settings;
  const roots = new Set([`${basePath}/`, basePath]);
  const docs = urls(settings)('/docs');
  return (ctx, path) => {
    if (!roots.has(path)) return false;
    ctx.state.route = '/';
    if (ctx.method === 'OPTIONS') respond(ctx, { status: 204, fields: ['Allow', allow] });
    else if (ctx.method === 'GET' || ctx.method === 'HEAD')
      respond(ctx, {
        status: 303,
        fields: ['Location', docs, 'Cache-Control', 'no-cache'],
        vary: 'Accept-Encoding',
      });
    else throw new HttpProblem('method-not-allowed', `This path answers to ${allow}.`, { Allow: allow });
    return true;
  };
}
