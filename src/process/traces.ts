/** Traces, where OpenTelemetry's variables ask for them. */
import type { Logger } from 'pino';
import { logThrottle } from '../adapters/http/log/log-throttle.ts';
import type { Tracing } from '../adapters/observe/tracing.ts';
import { areTracesWanted } from '../adapters/observe/tracing-environment.ts';
import { messageOf } from '../adapters/system-errors.ts';
import { programVersion } from '../environment.ts';

/** In ms: a receiver that is away has one line in the log for each. */
const throttleInterval = 60_000;

/** Undefined without. What is wrong with them is logged and no reason not to serve. @param store its kind */
export async function openTraces(store: string, log: Logger): Promise<Tracing | undefined> {
  const wanted = areTracesWanted(process.env);
  if (wanted === 'no') return undefined;
  const throttle = logThrottle(throttleInterval);
  const onProblem = (reason: string): void =>
    throttle('', (count) => log.warn({ reason, count }, 'traces are not sent'));
  if (wanted !== 'yes') {
    onProblem(wanted.refused);
    return undefined;
  }
  try {
    const { openTracing } = await import('../adapters/observe/tracing.ts');
    return openTracing({ version: programVersion(), store, onProblem });
  } catch (error) {
    onProblem(messageOf(error));
    return undefined;
  }
}
