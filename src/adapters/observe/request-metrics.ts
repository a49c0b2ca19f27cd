/** Metrics of requests: names, units and buckets as OpenTelemetry's semantic conventions for HTTP have them, as Prometheus spells them. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Context } from '../http/pipeline/context.ts';
import type { EndedRequest, RequestObserver } from '../http/pipeline/request-observer.ts';
import { nameOfMethod } from './observer.ts';

/** In seconds, as advised for http.server.request.duration. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** In bytes: from an empty body to more than the largest body, by factors of four. */
const sizeBuckets = Array.from({ length: 11 }, (_, power) => 64 * 4 ** power);

/** No label contains an id, a name or an address: the route is a template, and empty without a route. */
const ofRoute = ['http_request_method', 'http_route'] as const;

function createMetrics(register: Registry) {
  return {
    duration: new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Duration of HTTP server requests, from the head to the last byte of the answer.',
      labelNames: [...ofRoute, 'http_response_status_code', 'format'],
      buckets: durationBuckets,
      registers: [register],
    }),
    requestSize: new Histogram({
      name: 'http_server_request_body_size_bytes',
      help: 'Size of HTTP server request bodies, as they came, before decoding.',
      labelNames: ofRoute,
      buckets: sizeBuckets,
      registers: [register],
    }),
    responseSize: new Histogram({
      name: 'http_server_response_body_size_bytes',
      help: 'Size of HTTP server response bodies, as they were sent, encoded.',
      labelNames: ofRoute,
      buckets: sizeBuckets,
      registers: [register],
    }),
    refusals: new Counter({
      name: 'users_refusals_total',
      help: 'Requests answered with a problem by its code, with the access profile of the credentials if they have one, a 401 by what was wrong with the credentials, and connections refused.',
      labelNames: ['reason', 'profile'] as const,
      registers: [register],
    }),
  };
}

type Route = Readonly<Record<(typeof ofRoute)[number], string>>;

/**
 * Counted at each collection, since a request's route isn't known at its beginning.
 * @param ended the routes of earlier requests: a series stays, at 0
 */
function gaugeActive(
  active: readonly (Context | undefined)[],
  ended: ReadonlyMap<string, Route>,
  register: Registry,
): void {
  new Gauge({
    name: 'http_server_active_requests',
    help: 'Number of HTTP server requests that are being answered.',
    labelNames: ofRoute,
    registers: [register],
    collect() {
      this.reset();
      for (const labels of ended.values()) this.set(labels, 0);
      for (const { req, state } of active.flatMap((ctx) => ctx ?? []))
        this.inc({ http_request_method: nameOfMethod(req.method), http_route: state.route?.path ?? '' });
    },
  });
}

export function requestMetrics(register: Registry): RequestObserver {
  const { duration, requestSize, responseSize, refusals } = createMetrics(register);
  // Not a Set: it rebuilds its table every few requests, which was half of the cost of metrics for a small read.
  const active: (Context | undefined)[] = [];
  const free: number[] = [];
  const routes = new Map<string, Route>();
  gaugeActive(active, routes, register);

  function labelsOf(method: string, route: string): Route {
    const key = `${method} ${route}`;
    const known = routes.get(key);
    if (known !== undefined) return known;
    const labels = { http_request_method: method, http_route: route };
    routes.set(key, labels);
    return labels;
  }

  function count(ended: EndedRequest): void {
    const { route = '', status = '', format = 'none', problem, profile } = ended;
    const labels = labelsOf(nameOfMethod(ended.method), route);
    duration.observe({ ...labels, http_response_status_code: status, format }, ended.seconds);
    if (ended.requestBytes !== undefined) requestSize.observe(labels, ended.requestBytes);
    if (ended.responseBytes !== undefined) responseSize.observe(labels, ended.responseBytes);
    if (problem !== undefined)
      refusals.inc({ reason: ended.refusal?.fault ?? problem, ...(profile !== undefined && { profile }) });
  }

  return {
    begin(ctx) {
      const place = free.pop() ?? active.length;
      active[place] = ctx;
      return (ended) => {
        active[place] = undefined;
        free.push(place);
        count(ended);
      };
    },
    refuse: (reason) => refusals.inc({ reason }),
  };
}
