/** CORS (the Fetch standard, §3.2) for clients in browsers, for the origins that the operator names. */
import cors from '@koa/cors';
import type { Context, Next } from './pipeline/context.ts';
import { respond } from './pipeline/respond.ts';

/** Scripts may read these, besides the safelisted response headers: without them there is no locking and no paging. */
const exposedHeaders = [
  'Content-Location',
  'ETag',
  'Link',
  'Location',
  'Preference-Applied',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
];

/** In seconds: how long a browser may remember a preflight. */
const maxAge = 600;

/** Answers preflights without credentials and names the origins that may read an answer; others get no CORS header. */
export function answerCrossOrigin(origins: readonly string[]) {
  const handleCors = cors({
    origin: (ctx) => (origins.includes(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: exposedHeaders,
    maxAge,
  });
  return async (ctx: Context, next: Next): Promise<void> => {
    let isPreflight = true;
    await handleCors(ctx, () => {
      isPreflight = false;
      return next();
    });
    if (isPreflight) await respond(ctx, { status: 204, fields: [] });
  };
}
