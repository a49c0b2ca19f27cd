/**
 * Decides which new traces are recorded, before the SDK makes anything of them: its own way to a span that isn't recorded takes a twentieth
 * of a small read, and most requests of a busy service go it.
 */
import { diag, ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  type IdGenerator,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';

const usualSampler = 'parentbased_always_on';

/** OTEL_TRACES_SAMPLER_ARG; everything where it is none. */
function ratioOf({ OTEL_TRACES_SAMPLER_ARG: text = '' }: NodeJS.ProcessEnv): number {
  const ratio = text.trim() === '' ? Number.NaN : Number(text);
  if (ratio >= 0 && ratio <= 1) return ratio;
  diag.error('OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1: all traces are sent');
  return 1;
}

/** As OTEL_TRACES_SAMPLER names it; the SDK makes the same one, and keeps it to itself. */
function samplerOf(env: NodeJS.ProcessEnv): Sampler {
  const name = env.OTEL_TRACES_SAMPLER?.trim() || usualSampler;
  switch (name.replace(/^parentbased_/, '')) {
    case 'always_off':
      return basedOn(name, new AlwaysOffSampler());
    case 'traceidratio':
      return basedOn(name, new TraceIdRatioBasedSampler(ratioOf(env)));
    case 'always_on':
      return basedOn(name, new AlwaysOnSampler());
    default:
      diag.error(`OTEL_TRACES_SAMPLER names no sampler that is known here: it is ${usualSampler}`);
      return basedOn(usualSampler, new AlwaysOnSampler());
  }
}

const basedOn = (name: string, root: Sampler): Sampler =>
  name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;

export interface HeadSampling {
  /** Both for the SDK, so that it comes to the same. */
  readonly sampler: Sampler;
  readonly idGenerator: IdGenerator;
  /** Draws the id of a new trace, which the SDK takes for the next one. @returns false when it isn't to be recorded */
  draw(): boolean;
}

export function headSampling(env: NodeJS.ProcessEnv): HeadSampling {
  const sampler = samplerOf(env);
  const random = new RandomIdGenerator();
  let drawn: string | undefined;
  return {
    sampler,
    idGenerator: {
      generateSpanId: random.generateSpanId,
      generateTraceId() {
        const id = drawn ?? random.generateTraceId();
        drawn = undefined;
        return id;
      },
    },
    draw() {
      drawn = random.generateTraceId();
      const { decision } = sampler.shouldSample(ROOT_CONTEXT, drawn, '', SpanKind.SERVER, {}, []);
      return decision !== SamplingDecision.NOT_RECORD;
    },
  };
}
