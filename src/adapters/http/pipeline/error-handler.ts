/** The one place where an error becomes a response (RFC 9457). Internal details go only to the log, where `faultLog` writes them. */

import type { Logger } from 'pino';
import { DomainError, isCode, reasonsOf } from '../../../domain/validation/errors.ts';
import { logThrottle } from '../log/log-throttle.ts';
import { problemTypes } from '../problems/problem-types.ts';
import { HttpProblem, problemOf } from '../problems/problems.ts';
import type { Context } from './context.ts';
import { respond } from './respond.ts';

/** @param requestId of the request that met it */
type ReportFault = (error: unknown, requestId: string | undefined) => void;

/** Our own faults are of the same kind if name, message and the throwing place are equal. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [, first = ''] = error.stack?.match(/^\s+at (.*)$/m) ?? [];
  return `${error.name} ${error.message} ${first}`;
}

/**
 * Logs the causes that 5xx responses hide. Lines that clients can cause are throttled; bugs keep their stacks.
 * @param interval in ms: at most one line for each kind in it
 */
export function faultLog(log: Logger, interval?: number): ReportFault {
  const throttle = logThrottle(interval);
  return (error, id) => {
    if (error instanceof HttpProblem)
      throttle(error.code, (count) => log.warn({ problem: error.code, count, id }, 'refused'));
    else if (error instanceof DomainError) {
      const { code: problem } = error;
      const reasons = reasonsOf(error);
      throttle(reasons.join(' '), (count) => log.error({ problem, reasons, count, id }, 'failed'));
    } else throttle(kindOf(error), (count) => log.error({ err: error, count, id }, 'failed'));
  };
}

interface ErrorParts {
  readonly reportFault: ReportFault;
  /** For a refusal of the credentials (RFC 9110 §11.6.1); undefined for any other error. */
  challengesFor(error: unknown, ctx: Context): readonly string[] | undefined;
}

export type ErrorHandler = (error: unknown, ctx: Context) => void;

/** Nothing has failed: work that the client no longer waits for was not begun (`hasLeft` in the domain's store.ts). */
const isGivenUp = (error: unknown, { res }: Context): boolean =>
  res.closed && isCode(error, 'unavailable') && (error as DomainError).cause === undefined;

export function errorHandler({ reportFault, challengesFor }: ErrorParts): ErrorHandler {
  return (error, ctx) => {
    if (isGivenUp(error, ctx)) return;
    const { requestId, mounted, bodyChoice, trace } = ctx.state;
    const problem = problemOf(error, mounted.problems);
    const { status } = problem.type;
    // A function that isn't implemented (501) is no fault of the service.
    if (status >= 500 && status !== problemTypes['not-implemented'].status) reportFault(error, requestId);
    ctx.state.problem = problem.code;
    const format = mounted.negotiator.chooseForProblem(ctx.req.headers.accept, bodyChoice);
    ctx.state.problemFormat = format.name;
    const { content, contentType } = mounted.printProblem(problem, requestId, format, trace);
    const challenges = challengesFor(error, ctx);
    if (challenges !== undefined && error instanceof DomainError) ctx.state.refusal = error;
    const fields = [
      ...Object.entries(problem.headers).flat(),
      ...(challenges === undefined ? [] : ['WWW-Authenticate', [...challenges]]),
      'Cache-Control',
      'no-store',
      'Content-Type',
      contentType,
    ];
    respond(ctx, { status, fields, content });
  };
}
