/** The one place where an error becomes an answer (RFC 9457), and where what must not be shown stays behind. */
import type { Context } from './context.ts';
import type { ReportFault } from './fault-log.ts';
import { problemTypes } from './problem-types.ts';
import { problemOf } from './problems.ts';
import { respond } from './respond.ts';

export interface ErrorParts {
  readonly report: ReportFault;
  /** What goes with a refusal of the credentials (RFC 9110 §11.6.1); undefined for anything else. */
  challenges(error: unknown, ctx: Context): readonly string[] | undefined;
}

export type ErrorHandler = (error: unknown, ctx: Context) => void;

export function errorHandler({ report, challenges }: ErrorParts): ErrorHandler {
  return (error, ctx) => {
    const { requestId, mounted, bodyChoice } = ctx.state;
    const problem = problemOf(error, mounted.api.problems);
    const { status } = problem.type;
    // What isn't implemented is the client's to mend, and no fault.
    if (status >= 500 && status !== problemTypes['not-implemented'].status) report(error, requestId);
    ctx.state.problem = problem.code;
    const format = mounted.negotiator.chooseForProblem(ctx.req.headers.accept, bodyChoice);
    const { content, contentType } = mounted.printProblem(problem, requestId, format);
    const credentials = challenges(error, ctx) ?? [];
    const fields = [
      ...Object.entries(problem.headers).flat(),
      ...(credentials.length > 0 ? ['WWW-Authenticate', [...credentials]] : []),
      'Cache-Control',
      'no-store',
      'Content-Type',
      contentType,
    ];
    respond(ctx, { status, fields, content });
  };
}
