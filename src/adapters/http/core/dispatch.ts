/** Dispatches requests to the handlers of their routes; without a route it answers 404, 405, or 204 to OPTIONS. */

import { METHODS } from 'node:http';
import Router from '@koa/router';
import { requireScope } from '../../../domain/scopes.ts';
import { HttpProblem, noSuchResource } from '../problems/problems.ts';
import type { Api, Route } from './api.ts';
import { assertPresent, type Context, type MountedApi, type State } from './context.ts';
import { respond } from './respond.ts';

/** Checks the scope (403) and negotiates the format (406); the handler goes on with 415, 413, 400, 428 and 422. */
function routeHandler(route: Route) {
  return (ctx: Context): Promise<void> | void => {
    ctx.state.route = route;
    if (route.scope !== undefined) requireScope(assertPresent(ctx.state.principal), route.scope);
    if (route.isNegotiated) negotiate(ctx);
    return route.handle(ctx);
  };
}

function negotiate({ state, req }: Context): void {
  const { choose, types } = state.mounted.negotiator;
  const choice = choose(req.headers.accept, state.bodyChoice);
  if (choice === undefined) throw new HttpProblem('not-acceptable', `There is: ${types.join(', ')}.`);
  state.choice = choice;
}

const noNext = async (): Promise<void> => undefined;

/** Every path supports OPTIONS. */
const allowOf = (methods: readonly string[]): string =>
  [...new Set([...methods, 'OPTIONS'])].sort().join(', ');

type Layer = Router<State>['stack'][number];

/**
 * Responses without a matching route: 404; at the path of another route 204 to OPTIONS, otherwise 405; both with `Allow`.
 * @param matched the entries of its path, for other methods
 * @param instead of the path's routes
 */
async function answerUnrouted(ctx: Context, matched: readonly Layer[], instead?: string): Promise<void> {
  if (matched.length === 0) throw noSuchResource();
  const allow = allowOf(matched.flatMap(({ methods }) => methods));
  if (ctx.method !== 'OPTIONS') {
    const detail = [`This path answers to ${allow}.`, instead ?? []].flat().join(' ');
    throw new HttpProblem('method-not-allowed', detail, { Allow: allow });
  }
  await respond(ctx, { status: 204, fields: ['Allow', allow] });
}

/** One entry for each path: the router tries them all for every request. */
function createRouter(routes: readonly Route[], basePath: string): Router<State> {
  const router = new Router<State>({ strict: true, sensitive: true, methods: METHODS });
  for (const path of new Set(routes.map((route) => route.path))) {
    const atPath = routes.filter((route) => route.path === path);
    const byMethod = new Map(atPath.map((route) => [route.method as string, routeHandler(route)]));
    // The router's own prefix can't stand before an empty path.
    router.register(basePath + path, [...byMethod.keys()], (ctx: Context) =>
      byMethod.get(ctx.method === 'HEAD' ? 'GET' : ctx.method)?.(ctx),
    );
  }
  return router;
}

/** @param basePath the API's routes stand below it */
export function dispatcher(
  { access, routes }: Api,
  basePath: string,
): Pick<MountedApi, 'dispatch' | 'isOpen'> {
  // A path in full goes before one with a parameter, also for methods that only the other one has.
  const isWhole = ({ path }: Route): boolean => !path.includes(':');
  const whole = new Set(routes.filter(isWhole).map(({ path }) => basePath + path));
  const [wholePaths, others] = [routes.filter(isWhole), routes.filter((route) => !isWhole(route))].map(
    (some) => createRouter(some, basePath),
  );
  const routerOf = (path: string) => assertPresent(whole.has(path) ? wholePaths : others);
  const isException = (path: string) =>
    routerOf(path)
      .match(path, 'GET')
      .path.some((layer) =>
        routes.some((route) => basePath + route.path === layer.path && (route.access ?? access) !== access),
      );
  const insteadAt = (path: Layer['path'] | undefined) =>
    routes.find((route) => basePath + route.path === path && route.instead !== undefined)?.instead;
  const hasExceptions = routes.some((route) => (route.access ?? access) !== access);
  return {
    // Not by its middleware, which composes a chain for each request.
    dispatch(ctx) {
      const { path } = ctx;
      const matched = routerOf(path).match(path, ctx.method);
      const [layer] = matched.pathAndMethod;
      if (layer === undefined) return answerUnrouted(ctx, matched.path, insteadAt(matched.path[0]?.path));
      ctx.params = layer.params(path, layer.captures(path));
      const [handle] = layer.stack;
      return handle?.(ctx as Parameters<typeof handle>[0], noNext);
    },
    isOpen: (path) => (hasExceptions && isException(path) ? access !== 'open' : access === 'open'),
  };
}
