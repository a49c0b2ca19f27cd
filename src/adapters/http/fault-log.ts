/** What 5xx answers hide, in the log: nothing that anybody can cause fills it, and the faults of ours keep their stacks. */
import type { Logger } from 'pino';
import { DomainError } from '../../domain/errors.ts';
import { HttpProblem } from './problems.ts';
import { seldom } from './seldom.ts';

/** @param requestId of the request that met it */
export type ReportFault = (error: unknown, requestId: string | undefined) => void;

/** The error's words and those of its causes: what was thrown on purpose needs no stack. */
function reasonsOf(error: Error): string[] {
  const reasons: string[] = [];
  for (let at: unknown = error; at instanceof Error && reasons.length < 5; at = at.cause)
    reasons.push(at.message);
  return reasons;
}

/** What makes two faults of ours the same. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [, first = ''] = error.stack?.match(/^\s+at (.*)$/m) ?? [];
  return `${error.name} ${error.message} ${first}`;
}

/** @param every at most one line for each kind in so many ms */
export function faultLog(log: Logger, every?: number): ReportFault {
  const tell = seldom(every);
  return (error, id) => {
    if (error instanceof HttpProblem)
      tell(error.code, (count) => log.warn({ problem: error.code, count, id }, 'refused'));
    else if (error instanceof DomainError) {
      const { code: problem } = error;
      const reasons = reasonsOf(error);
      tell(reasons.join(' '), (count) => log.error({ problem, reasons, count, id }, 'failed'));
    } else tell(kindOf(error), (count) => log.error({ err: error, count, id }, 'failed'));
  };
}
