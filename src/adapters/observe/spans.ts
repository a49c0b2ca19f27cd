/**
 * The spans of requests and of the store's operations in them. No attribute says who somebody is: a path has ids in it and an address is a
 * person's, so they are left out where the semantic conventions would have them.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
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
import type { Context } from '../http/context.ts';
import type { EndedRequest, RequestObserver } from '../http/request-observer.ts';
import type { TraceContext } from '../http/trace-context.ts';
import { nameOfMethod } from './method-name.ts';
import type { OperationObserver } from './observed-store.ts';

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

/** The span of the request that is being worked on. Entered only for those that are recorded. */
type Current = AsyncLocalStorage<Span>;

function observeRequests(tracer: Tracer, current: Current): RequestObserver {
  const recorded = new WeakMap<Context, Span>();
  return {
    begin(ctx) {
      const { method } = ctx.req;
      const attributes = { 'http.request.method': nameOfMethod(method), 'url.scheme': 'http' };
      const options = { kind: SpanKind.SERVER, attributes };
      const span = tracer.startSpan(spanName(method), options, scopeOf(ctx.state.traceContext));
      ctx.state.trace = span.spanContext().traceId;
      if (!span.isRecording()) return undefined;
      recorded.set(ctx, span);
      return (ended) => endRequest(span, ended);
    },
    run(ctx, next) {
      const span = recorded.get(ctx);
      return span === undefined ? next() : current.run(span, next);
    },
  };
}

/** Outcomes that the caller is told of, and that are no failure of the store's. */
const expected: ReadonlySet<string> = new Set(['ok', 'stale', 'id-taken', 'user-name-taken']);

function observeOperations(tracer: Tracer, current: Current, store: string): OperationObserver {
  return {
    begin(operation) {
      const request = current.getStore();
      if (request === undefined) return undefined;
      const attributes = {
        'db.system.name': store,
        'db.operation.name': operation,
        'db.collection.name': 'users',
      };
      const options = { kind: SpanKind.CLIENT, attributes };
      const span = tracer.startSpan(`${operation} users`, options, trace.setSpan(ROOT_CONTEXT, request));
      return (outcome) => {
        span.setAttribute('users.outcome', outcome);
        if (!expected.has(outcome)) {
          span.setAttribute('error.type', outcome);
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      };
    },
  };
}

/** @param store its kind */
export function observeSpans(
  tracer: Tracer,
  store: string,
): { readonly requests: RequestObserver; readonly operations: OperationObserver } {
  const current: Current = new AsyncLocalStorage();
  return {
    requests: observeRequests(tracer, current),
    operations: observeOperations(tracer, current, store),
  };
}
