/** A name for each request, and one line about it: route template, status, time. Never the URL, a header or a body. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { canonicalId } from '../../domain/user.ts';
import type { Context } from './context.ts';

/** Takes over a gateway's `X-Request-Id` when it is a UUID: any other text might say who somebody is. */
export function identify(ctx: Context): void {
  const given = ctx.get('X-Request-Id');
  ctx.state.requestId = (given && canonicalId(given)) || randomUUID();
  ctx.set('X-Request-Id', ctx.state.requestId);
}

/** The line is written when the answer has left or its reader has gone (`whole: false`). */
export const logRequests = (log: Logger) => (ctx: Context) => {
  const start = performance.now();
  ctx.res.once('close', () => {
    const { requestId: id, route, problem } = ctx.state;
    const ms = Math.round((performance.now() - start) * 1000) / 1000;
    const whole = ctx.res.writableFinished;
    log.info({ id, method: ctx.method, route, status: ctx.res.statusCode, ms, problem, whole }, 'request');
  });
};
