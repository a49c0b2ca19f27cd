/** Whether traces are asked for, by OpenTelemetry's own variables; the SDK itself reads all the others. */

const isTrue = (text = ''): boolean => text.trim().toLowerCase() === 'true';

/** Of a variable for all signals, or for traces alone, which goes before it. An empty one counts for nothing. */
function find(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const [own, all] = [env[`OTEL_EXPORTER_OTLP_TRACES_${name}`], env[`OTEL_EXPORTER_OTLP_${name}`]];
  return [own, all].find((text) => text !== undefined && text.trim() !== '')?.trim();
}

/** The only encoding that is spoken here. */
const spoken = 'http/protobuf';

/** `refused`: they are, and can't be sent, for a reason fit for the log. */
export type TracesWanted = 'no' | 'yes' | { readonly refused: string };

export function areTracesWanted(env: NodeJS.ProcessEnv): TracesWanted {
  if (isTrue(env.OTEL_SDK_DISABLED) || find(env, 'ENDPOINT') === undefined) return 'no';
  const exporter = env.OTEL_TRACES_EXPORTER?.trim() ?? '';
  if (exporter === 'none') return 'no';
  if (exporter !== '' && exporter !== 'otlp')
    return { refused: 'OTEL_TRACES_EXPORTER must be otlp, none or left out' };
  const protocol = find(env, 'PROTOCOL') ?? spoken;
  if (protocol !== spoken) return { refused: `OTEL_EXPORTER_OTLP_PROTOCOL must be ${spoken} or left out` };
  return 'yes';
}
