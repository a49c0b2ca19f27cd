/**
 * The spans of requests and of the store's operations in them. No attribute identifies a person: a path has ids in it and an address is a
 * person's, so they are left out where the semantic conventions would have them.
 */
import {
  type Attributes,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type Context as TraceScope,
  trace,
} from '@opentelemetry/api';
import type { Principal } from '../../domain/ports.ts';
import type { Context } from '../http/core/context.ts';
import type { EndedRequest, RequestObserver } from '../http/core/request-observer.ts';
import type { TraceContext } from '../http/headers/trace-context.ts';
import { nameOfMethod } from './method-name.ts';
import type { OperationObserver, Outcome } from './observed-store.ts';
import type { Observer } from './observer.ts';

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

/** Before the route is known, and where there is none. */
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

/** By the principal of a request that is recorded, an object of that request alone. */
type Recorded = WeakMap<Principal, Span>;

/** Without attributes, which would cost time for requests that aren't recorded too. */
const serverSpan = { kind: SpanKind.SERVER };

function observeRequests(tracer: Tracer, recorded: Recorded): RequestObserver {
  const spans = new WeakMap<Context, Span>();
  return {
    begin(ctx) {
      const { method } = ctx.req;
      const span = tracer.startSpan(spanName(method), serverSpan, scopeOf(ctx.state.traceContext));
      const isRecorded = span.isRecording();
      // The id of an unrecorded trace leads nowhere, unless the client began the trace.
      if (isRecorded || ctx.state.traceContext !== undefined) ctx.state.trace = span.spanContext().traceId;
      if (!isRecorded) return undefined;
      span.setAttributes({ 'http.request.method': nameOfMethod(method), 'url.scheme': 'http' });
      spans.set(ctx, span);
      return (ended) => endRequest(span, ended);
    },
    authenticated(ctx) {
      const span = spans.get(ctx);
      if (span === undefined || ctx.state.principal === undefined) return;
      // Those of API keys are shared by all requests with the key.
      ctx.state.principal = { ...ctx.state.principal };
      recorded.set(ctx.state.principal, span);
    },
  };
}

/** False for outcomes that are reported to the caller, and are no failures of the store. */
const isFailure = (outcome: Outcome): boolean =>
  !['ok', 'stale', 'invalid-members'].includes(outcome) && !outcome.endsWith('-taken');

function observeOperations(tracer: Tracer, request: Span, store: string): OperationObserver {
  const scope = trace.setSpan(ROOT_CONTEXT, request);
  return {
    begin(operation, collection) {
      const attributes = {
        'db.system.name': store,
        'db.operation.name': operation,
        ...(collection !== undefined && { 'db.collection.name': collection }),
      };
      const name = collection === undefined ? operation : `${operation} ${collection}`;
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, scope);
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
export function observeSpans(tracer: Tracer, store: string): Observer {
  const recorded: Recorded = new WeakMap();
  return {
    requests: observeRequests(tracer, recorded),
    operationsFor: (principal) => {
      const request = recorded.get(principal);
      return request && observeOperations(tracer, request, store);
    },
  };
}
