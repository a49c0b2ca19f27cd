/** Gives each request an id and one line in the log: route template, status, time, client. Never the URL, a header field or a body. */

import { createHash, randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { canonicalUuid } from '../../../domain/validation/plain-values.ts';
import { readTraceContext } from '../headers/trace-context.ts';
import type { Context } from '../pipeline/context.ts';
import type { RequestObserver } from '../pipeline/request-observer.ts';
import type { IdentifiedResponse } from './protocol-errors.ts';

/** A gateway's `X-Request-Id` is kept when it is a UUID: any other text might be personal data. */
export function identify({ state, req, res }: Context): void {
  const given = req.headers['x-request-id'];
  state.requestId = (typeof given === 'string' ? canonicalUuid(given) : undefined) ?? randomUUID();
  const context = readTraceContext(req.headers);
  if (context !== undefined) {
    state.traceContext = context;
    state.trace = context.traceId;
  }
  const identified: IdentifiedResponse = res;
  identified.requestId = state.requestId;
  if (state.trace !== undefined) identified.trace = state.trace;
}

/** The usual form of names of software: `legacy-erp`, `https://login.example/clients/7`, a UUID. */
const clientShape = /^[A-Za-z0-9](?:[A-Za-z0-9_:/.~|-]{0,98}[A-Za-z0-9])?$/;

/** Such as `ada.lovelace`. */
const personShape = /^[A-Za-z]+\.[A-Za-z]+$/;

/**
 * The client's name for the log. A `sub` may be a personal address or name: a text that doesn't look like a client's id is replaced with the
 * beginning of its SHA-256, so that an operator who knows the name can find its lines.
 */
export const clientForLog = (id: string): string =>
  clientShape.test(id) && !personShape.test(id)
    ? id
    : `sha256:${createHash('sha256').update(id).digest('hex').slice(0, 16)}`;

/** The maximum number of ids in a line: a Bulk may change a thousand resources, and the change log has all of them. */
const maxNamed = 50;

/** The line is written when the response has been sent or its client has disconnected (`whole: false`). Without a response it has no status. */
export function requestLog(log: Logger): RequestObserver {
  return {
    begin: () => (ended) => {
      const {
        id,
        method,
        route,
        status,
        seconds,
        problem,
        refusal,
        whole,
        client,
        profile,
        resources,
        trace,
      } = ended;
      const ms = Math.round(seconds * 1e6) / 1000;
      // A token may name no client.
      const asked = client === undefined || client === '' ? undefined : clientForLog(client);
      const named = resources?.slice(0, maxNamed);
      log.info(
        {
          ...{ id, method, route, status, ms, problem, refusal: refusal?.message, whole, client: asked },
          ...{ profile, resources: named, trace },
        },
        'request',
      );
    },
  };
}
