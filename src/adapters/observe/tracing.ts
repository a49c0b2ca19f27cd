/** Traces, sent by OpenTelemetry's SDK over OTLP/HTTP. Only imported where they are asked for: it takes longer to load than the service. */
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { messageOf } from '../system/errors.ts';
import type { Observer } from './observer.ts';
import { observeSpans } from './spans.ts';

export interface TracingOptions {
  readonly version: string;
  /** The kind of the store. */
  readonly store: string;
  /** Called, possibly often, with a line for the log when spans can't be sent or a variable is invalid. */
  readonly onProblem: (message: string) => void;
}

export interface Tracing {
  readonly observer: Observer;
  /** Sends pending spans; later ones are dropped. Resolves after `deadline` ms at the latest, and never rejects. */
  close(deadline: number): Promise<void>;
}

/** The first line of the SDK's message, without the content of the receiver's response. */
function listenToSdk(onProblem: (message: string) => void): void {
  const tell = (message: unknown): void => onProblem(messageOf(message).split('\n')[0]?.slice(0, 200) ?? '');
  const ignore = (): void => {};
  diag.setLogger(
    { error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  setGlobalErrorHandler(tell);
}

/** Reads OpenTelemetry's own variables: endpoint, header fields, sampling, service name. @throws Error for an invalid endpoint */
export function openTracing({ version, store, onProblem }: TracingOptions): Tracing {
  listenToSdk(onProblem);
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'user-management', 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] }));
  const provider = new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('user-management', version);
  return {
    observer: observeSpans(tracer, store),
    async close(deadline) {
      const late = new Promise<void>((resolve) => setTimeout(resolve, deadline).unref());
      // The SDK has reported spans that couldn't be sent.
      await Promise.race([provider.shutdown().catch(() => {}), late]);
    },
  };
}
