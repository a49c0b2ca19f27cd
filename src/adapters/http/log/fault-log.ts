/** Logs the causes that 5xx responses hide. Lines that clients can cause are throttled; bugs keep their stacks. */
import type { Logger } from 'pino';
import { DomainError, reasonsOf } from '../../../domain/validation/errors.ts';
import { HttpProblem } from '../problems/problems.ts';
import { logThrottle } from './log-throttle.ts';

/** @param requestId of the request that met it */
export type ReportFault = (error: unknown, requestId: string | undefined) => void;

/** Faults of our own are of one kind when name, message and the place that threw are the same. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [, first = ''] = error.stack?.match(/^\s+at (.*)$/m) ?? [];
  return `${error.name} ${error.message} ${first}`;
}

/** @param interval in ms: at most one line for each kind in it */
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
