/** CORS (the Fetch standard, §3.2) for clients in browsers, for the origins that the operator names. */
import cors from '@koa/cors';
import type { Context, Next } from './context.ts';
import { respond } from './respond.ts';

/** What a script may read beyond the safelisted response headers: without these there is no locking and no paging. */
const exposed = [
  'Content-Location',
  'ETag',
  'Link',
  'Location',
  'Preference-Applied',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
];

/** How long a browser may remember a preflight, in seconds. */
const maxAge = 600;

type Answer = (ctx: Context, next: Next) => Promise<void>;

/** Preflights are answered here, without credentials, the rest by `answer`; origins that aren't named get no CORS header. */
export function crossOrigin(origins: readonly string[], answer: Answer): Answer {
  const handle = cors({
    origin: (ctx) => (origins.includes(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: exposed,
    maxAge,
  });
  return async (ctx, next) => {
    let isPreflight = true;
    await handle(ctx, () => {
      isPreflight = false;
      return answer(ctx, next);
    });
    if (isPreflight) await respond(ctx, { status: 204, fields: [] });
  };
}
