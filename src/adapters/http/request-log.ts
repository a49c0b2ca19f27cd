/** Gives each request an id and one line in the log: route template, status, time. Never the URL, a header or a body. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { canonicalUuid } from '../../domain/uuid.ts';
import type { Context } from './context.ts';
import type { IdentifiedResponse } from './protocol-errors.ts';
import type { Step } from './steps.ts';

/** A gateway's `X-Request-Id` is kept when it is a UUID: any other text might say who somebody is. */
export function identify({ state, req, res }: Context): void {
  const given = req.headers['x-request-id'];
  state.requestId = (typeof given === 'string' ? canonicalUuid(given) : undefined) ?? randomUUID();
  const identified: IdentifiedResponse = res;
  identified.requestId = state.requestId;
}

/**
 * The line is written when the answer has left or its reader has gone (`whole: false`). It has no status when there was no answer:
 * Koa's own first status, 404, was told to nobody.
 */
export function logRequest(log: Logger): Step {
  return ({ state, req: { method }, res }) => {
    const start = performance.now();
    res.once('close', () => {
      const { requestId: id, route, problem } = state;
      const ms = Math.round((performance.now() - start) * 1000) / 1000;
      const { headersSent, statusCode, writableFinished: whole } = res;
      const status = headersSent ? statusCode : undefined;
      log.info({ id, method, route: route?.path, status, ms, problem, whole }, 'request');
    });
  };
}
