/** Opens traces when OpenTelemetry's variables ask for them. */
import type { Logger } from 'pino';
import { logThrottle } from '../adapters/http/log/log-throttle.ts';
import type { Tracing } from '../adapters/observe/tracing.ts';
import { messageOf } from '../adapters/system/errors.ts';
import { programVersion } from '../adapters/system/program.ts';

const isTrue = (text = ''): boolean => text.trim().toLowerCase() === 'true';

/** The value of the variable for traces, or else of the variable for all signals. Empty variables are ignored. */
function find(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const [own, all] = [env[`OTEL_EXPORTER_OTLP_TRACES_${name}`], env[`OTEL_EXPORTER_OTLP_${name}`]];
  return [own, all].find((text) => text !== undefined && text.trim() !== '')?.trim();
}

const supportedProtocol = 'http/protobuf';

/** `refused`: traces are configured but can't be sent; the reason goes to the log. */
type TracesWanted = 'no' | 'yes' | { readonly refused: string };

/** Reads the few variables that decide whether the SDK is loaded; the SDK reads all others. */
function areTracesWanted(env: NodeJS.ProcessEnv): TracesWanted {
  if (isTrue(env.OTEL_SDK_DISABLED) || find(env, 'ENDPOINT') === undefined) return 'no';
  const exporter = env.OTEL_TRACES_EXPORTER?.trim() ?? '';
  if (exporter === 'none') return 'no';
  if (exporter !== '' && exporter !== 'otlp')
    return { refused: 'OTEL_TRACES_EXPORTER must be otlp, none or left out' };
  const protocol = find(env, 'PROTOCOL') ?? supportedProtocol;
  if (protocol !== supportedProtocol)
    return { refused: `OTEL_EXPORTER_OTLP_PROTOCOL must be ${supportedProtocol} or left out` };
  return 'yes';
}

/** In ms. An unreachable receiver causes one line in the log per interval. */
const throttleInterval = 60_000;

/** If the variables are wrong, logs the reason and serves without traces. @param store its kind @returns undefined without traces */
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
