/**
 * The last step of a request; `../app.ts` lists all of them in order.
 *
 * Mounts APIs: prepares each once, at the start, and finds the API of a path. Dispatches its requests to the handlers of their routes;
 * without a route it answers 404, 405, or 204 to OPTIONS.
 */

import { METHODS } from 'node:http';
import Router from '@koa/router';
import { requireScope } from '../../../domain/scopes.ts';
import { negotiator } from '../headers/negotiation.ts';
import { HttpProblem, noSuchResource, type PrintProblem } from '../problems/problems.ts';
import type { Api, Route } from './api.ts';
import { assertPresent, type Context, type MountedApi, type Next, type State, type Step } from './context.ts';
import { noQuery, parseQuery, type Query, type QueryRules } from './query.ts';
import { bodyReader } from './read-body.ts';
import { respond } from './respond.ts';
import { pathSuggester, type UrlSettings } from './urls.ts';

/**
 * Checks the scope (403), negotiates the format (406) and reads the query (400); the handler goes on with 415, 413, 400, 428 and 422.
 * @param fold see `Api.foldParameter`
 */
function routeHandler(route: Route, fold: Api['foldParameter']) {
  const rules = rulesOf([route], fold);
  return (ctx: Context): Promise<void> | void => {
    ctx.state.route = route;
    if (route.scope !== undefined) requireScope(assertPresent(ctx.state.principal), route.scope);
    if (route.isNegotiated) negotiate(ctx, route.alsoServes);
    ctx.state.query = readQuery(ctx, rules);
    return route.handle(ctx);
  };
}

const rulesOf = (routes: readonly Route[], fold: Api['foldParameter']): QueryRules => ({
  names: [...new Set(routes.flatMap(({ query = {} }) => Object.keys(query)))],
  ignoresOthers: routes.some(({ ignoresOtherParameters }) => ignoresOtherParameters),
  fold,
});

const readQuery = ({ querystring }: Context, rules: QueryRules): Query =>
  querystring === '' ? noQuery : parseQuery(querystring, rules);

function negotiate(ctx: Context, other?: string): void {
  const { state, req } = ctx;
  const { choose, types } = state.mounted.negotiator;
  if (other !== undefined && ctx.accepts(...types, other) === other) return;
  const choice = choose(req.headers.accept, state.bodyChoice);
  if (choice === undefined) throw new HttpProblem('not-acceptable', `There is: ${types.join(', ')}.`);
  state.choice = choice;
}

const noNext = async (): Promise<void> => undefined;

type Layer = Router<State>['stack'][number];

/**
 * Answers a method without a route, at a path with routes: OPTIONS, which every path supports, with 204, any other with 405; both have
 * `Allow`. OPTIONS accepts the query parameters of all routes of the path.
 * @param methods of the path @param routes of the path
 */
async function answerUnrouted(
  ctx: Context,
  methods: readonly string[],
  routes: readonly Route[],
  fold: Api['foldParameter'],
): Promise<void> {
  const allow = [...new Set([...methods, 'OPTIONS'])].sort().join(', ');
  if (ctx.method !== 'OPTIONS') {
    const [instead = []] = routes.flatMap((route) => route.instead ?? []);
    const detail = [`This path answers to ${allow}.`, instead].flat().join(' ');
    throw new HttpProblem('method-not-allowed', detail, { Allow: allow });
  }
  readQuery(ctx, rulesOf(routes, fold));
  await respond(ctx, { status: 204, fields: ['Allow', allow] });
}

/** One entry for each path: the router tries them all for every request. */
function createRouter(routes: readonly Route[], basePath: string, fold: Api['foldParameter']): Router<State> {
  const router = new Router<State>({ strict: true, sensitive: true, methods: METHODS });
  for (const path of new Set(routes.map((route) => route.path))) {
    const atPath = routes.filter((route) => route.path === path);
    const byMethod = new Map(atPath.map((route) => [route.method as string, routeHandler(route, fold)]));
    // The router's own prefix doesn't work with an empty path.
    router.register(basePath + path, [...byMethod.keys()], (ctx: Context) =>
      byMethod.get(ctx.method === 'HEAD' ? 'GET' : ctx.method)?.(ctx),
    );
  }
  return router;
}

/** @param suggestPath returns the text to append to a path without routes in a message */
function dispatcher(
  { access, routes, foldParameter }: Api,
  { basePath }: MountSettings,
  suggestPath: (path: string) => string,
): Pick<MountedApi, 'dispatch' | 'isOpen'> {
  // A path without parameters precedes one with a parameter, even for methods that only the latter has: the first entry decides.
  const inOrder = [...routes].sort(
    (one, other) => Number(hasParams(one.path)) - Number(hasParams(other.path)),
  );
  const router = createRouter(inOrder, basePath, foldParameter);
  const findLayer = (path: string): Layer | undefined => router.match(path, 'GET').path[0];
  const routesOf = (layer: Layer) => routes.filter((route) => basePath + route.path === layer.path);
  const isException = (route: Route): boolean => (route.access ?? access) !== access;
  const hasExceptions = routes.some(isException);
  return {
    // Not through its middleware, which composes a chain for each request.
    dispatch(ctx) {
      const { path, method } = ctx;
      const layer = findLayer(path);
      if (layer === undefined) throw noSuchResource(suggestPath(path));
      if (!layer.methods.includes(method))
        return answerUnrouted(ctx, layer.methods, routesOf(layer), foldParameter);
      ctx.params = layer.params(path, layer.captures(path));
      const [handle] = layer.stack;
      return handle?.(ctx as Parameters<typeof handle>[0], noNext);
    },
    isOpen(path) {
      const layer = hasExceptions ? findLayer(path) : undefined;
      const isOther = layer !== undefined && routesOf(layer).some(isException);
      return isOther ? access !== 'open' : access === 'open';
    },
  };
}

const hasParams = (path: string): boolean => path.includes(':');

interface MountSettings extends UrlSettings {
  /** The name of the format that is preferred between equals. */
  readonly defaultFormat: string;
}

function mount(
  api: Api,
  settings: MountSettings,
  printProblem: PrintProblem,
  suggestPath: (path: string) => string,
): MountedApi {
  const { name, isShed = true, hasRelativeLinks = false, isUnpinned = false, problems = {} } = api;
  const ownNegotiator = negotiator(api.formats, settings.defaultFormat);
  return {
    name,
    isShed,
    hasRelativeLinks,
    isUnpinned,
    problems,
    printProblem: api.printProblem ?? printProblem,
    negotiator: ownNegotiator,
    readBody: bodyReader(api, ownNegotiator),
    ...dispatcher(api, settings, suggestPath),
  };
}

/**
 * The API with a route at the request's path; otherwise the one with the longest matching prefix. Drops a slash at the end.
 * @param unclaimed for all other paths @param printProblem for APIs without their own
 */
export function apiFinder(
  apis: readonly Api[],
  unclaimed: Api,
  settings: MountSettings,
  printProblem: PrintProblem,
): Step {
  const { basePath } = settings;
  const suggestPath = pathSuggester(apis, settings);
  const exact = new Map<string, MountedApi>();
  const below: { readonly start: string; readonly mounted: MountedApi }[] = [];
  for (const api of apis) {
    const mounted = mount(api, settings, printProblem, suggestPath);
    for (const { path } of api.routes) if (!hasParams(path)) exact.set(basePath + path, mounted);
    for (const prefix of api.prefixes) below.push({ start: `${basePath}${prefix}/`, mounted });
  }
  below.sort((one, other) => other.start.length - one.start.length);
  const fallback = mount(unclaimed, settings, printProblem, suggestPath);
  const find = (path: string): MountedApi =>
    exact.get(path) ?? below.find(({ start }) => `${path}/`.startsWith(start))?.mounted ?? fallback;
  return (ctx) => {
    // `OPTIONS *`: Koa would have Node's `url.parse` make a path of this target, which has no slash.
    const path = ctx.req.url === '*' ? '*' : ctx.path;
    ctx.state.mounted = find(path);
    if (path.length < 2 || !path.endsWith('/') || exact.has(path)) return;
    const bare = path.slice(0, -1);
    const mounted = find(bare);
    if (mounted.hasRelativeLinks) return;
    ctx.state.mounted = mounted;
    ctx.req.url = bare + ctx.search;
  };
}

/**
 * `OPTIONS *` (RFC 9110 §9.3.7), which addresses the service as a whole. It needs no credentials: it names no resource, and its answer is in the
 * contract, which is open to all.
 * @throws HttpProblem 400: no other method has this target (RFC 9112 §3.2.4)
 */
export function answerServerWideOptions(apis: readonly Api[]) {
  const methods = apis.flatMap(({ routes }) => routes.map(({ method }): string => method));
  const allow = [...new Set([...methods, 'HEAD', 'OPTIONS'])].sort().join(', ');
  return (ctx: Context, next: Next): Promise<unknown> | undefined => {
    if (ctx.req.url !== '*') return next();
    ctx.state.route = { path: '*' };
    if (ctx.method !== 'OPTIONS')
      throw new HttpProblem('malformed-request', 'The target * goes with OPTIONS alone.');
    return respond(ctx, { status: 204, fields: ['Allow', allow] });
  };
}
