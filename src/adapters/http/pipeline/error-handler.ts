/** The one place where an error becomes a response (RFC 9457); internal details go only to the log. */
import { DomainError, isCode } from '../../../domain/validation/errors.ts';
import type { ReportFault } from '../log/fault-log.ts';
import { problemTypes } from '../problems/problem-types.ts';
import { problemOf } from '../problems/problems.ts';
import type { Context } from './context.ts';
import { respond } from './respond.ts';

export interface ErrorParts {
  readonly reportFault: ReportFault;
  /** For a refusal of the credentials (RFC 9110 §11.6.1); undefined for any other error. */
  challengesFor(error: unknown, ctx: Context): readonly string[] | undefined;
}

export type ErrorHandler = (error: unknown, ctx: Context) => void;

/** Nothing has failed: what the client no longer waits for was not begun (`hasLeft` in the domain's store.ts). */
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
