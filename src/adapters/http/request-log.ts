/** A name for each request, and one line about it: route template, status, time. Never the URL, a header or a body. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { canonicalId } from '../../domain/user.ts';
import type { Context } from './context.ts';
import type { NamedResponse } from './refusals.ts';

/** Takes over a gateway's `X-Request-Id` when it is a UUID: any other text might say who somebody is. */
export function identify({ state, req, res }: Context): void {
  const given = req.headers['x-request-id'];
  state.requestId = (typeof given === 'string' ? canonicalId(given) : undefined) ?? randomUUID();
  const named: NamedResponse = res;
  named.requestId = state.requestId;
}

/**
 * The line is written when the answer has left or its reader has gone (`whole: false`). It has no status when there was no answer:
 * what Koa begins with, 404, was told to nobody.
 */
export function logRequest({ state, req: { method }, res }: Context, log: Logger): void {
  const start = performance.now();
  res.once('close', () => {
    const { requestId: id, route, problem } = state;
    const ms = Math.round((performance.now() - start) * 1000) / 1000;
    const { headersSent, statusCode, writableFinished: whole } = res;
    const status = headersSent ? statusCode : undefined;
    log.info({ id, method, route, status, ms, problem, whole }, 'request');
  });
}
