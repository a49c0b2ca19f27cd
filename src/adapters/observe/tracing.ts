/**
 * Traces, sent by OpenTelemetry's SDK over OTLP/HTTP. Only imported where they are asked for: the SDK takes longer to load than the service.
 *
 * Requests and the store's operations in them have spans. No attribute identifies a person: the semantic conventions would have paths, which
 * contain ids, and addresses, so both are left out.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  createTraceState,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type Context as TraceScope,
  trace,
} from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { TraceContext } from '../http/headers/trace-context.ts';
import type { EndedRequest, RequestObserver } from '../http/pipeline/request-observer.ts';
import { messageOf } from '../system/errors.ts';
import type { OperationObserver, Outcome } from './observed-store.ts';
import { nameOfMethod, type Observer } from './observer.ts';

/** The caller's span, as the parent of ours. */
function scopeOf(given: TraceContext | undefined): TraceScope {
  if (given === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, flags, state } = given;
  const traceState = state === undefined ? {} : { traceState: createTraceState(state) };
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: flags,
    isRemote: true,
    ...traceState,
  });
}

/** The name of a span before its route is known, or without a route. */
const spanName = (method: string | undefined): string => nameOfMethod(method).replace('_OTHER', 'HTTP');

function attributesOf({ route, status, problem }: EndedRequest): Attributes {
  return {
    ...(route === undefined ? {} : { 'http.route': route }),
    ...(status === undefined ? {} : { 'http.response.status_code': status }),
    ...(problem === undefined ? {} : { 'users.problem': problem }),
    ...(status !== undefined && status >= 500 ? { 'error.type': problem ?? String(status) } : {}),
  };
}

function endRequest(span: Span, ended: EndedRequest): void {
  const { method, route, status } = ended;
  span.setAttributes(attributesOf(ended));
  if (route !== undefined) span.updateName(`${spanName(method)} ${route}`);
  // A refusal is no error of the server's (semantic conventions for HTTP spans).
  if (status === undefined || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** The span of the request in progress, if it is recorded: the parent of its operations. */
type CurrentRequest = AsyncLocalStorage<Span | undefined>;

/** Without attributes, which would cost time for requests that aren't recorded too. */
const serverSpan = { kind: SpanKind.SERVER };

function observeRequests(tracer: Tracer, current: CurrentRequest): RequestObserver {
  return {
    begin(ctx) {
      const { method } = ctx.req;
      const span = tracer.startSpan(spanName(method), serverSpan, scopeOf(ctx.state.traceContext));
      const isRecorded = span.isRecording();
      // The id of an unrecorded trace can't be looked up, unless the client began the trace.
      if (isRecorded || ctx.state.traceContext !== undefined) ctx.state.trace = span.spanContext().traceId;
      // Also for unrecorded traces: pipelined requests begin in one callback of the connection.
      current.enterWith(isRecorded ? span : undefined);
      if (!isRecorded) return undefined;
      span.setAttributes({ 'http.request.method': nameOfMethod(method), 'url.scheme': 'http' });
      return (ended) => endRequest(span, ended);
    },
  };
}

/** False for outcomes that are reported to the caller, and are no failures of the store. */
const isFailure = (outcome: Outcome): boolean =>
  !['ok', 'stale', 'invalid-members'].includes(outcome) && !outcome.endsWith('-taken');

function observeOperations(tracer: Tracer, current: CurrentRequest, store: string): OperationObserver {
  return {
    begin(operation, collection) {
      const request = current.getStore();
      if (request === undefined) return undefined;
      const attributes = {
        'db.system.name': store,
        'db.operation.name': operation,
        ...(collection !== undefined && { 'db.collection.name': collection }),
      };
      const name = collection === undefined ? operation : `${operation} ${collection}`;
      const span = tracer.startSpan(
        name,
        { kind: SpanKind.CLIENT, attributes },
        trace.setSpan(ROOT_CONTEXT, request),
      );
      return (outcomes) => {
        const failure = outcomes.find(isFailure);
        span.setAttribute('users.outcome', failure ?? [...new Set(outcomes)].join());
        if (failure !== undefined) {
          span.setAttribute('error.type', failure);
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      };
    },
  };
}

/** @param store its kind */
function observeSpans(tracer: Tracer, store: string): Observer {
  const current: CurrentRequest = new AsyncLocalStorage();
  return {
    requests: observeRequests(tracer, current),
    operations: observeOperations(tracer, current, store),
  };
}

interface TracingOptions {
  readonly version: string;
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
