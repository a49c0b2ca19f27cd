/** From a request that may go on to its route's handler: the router, and what comes before a handler. */
import Router from '@koa/router';
import type Koa from 'koa';
import { authorize } from '../../domain/scopes.ts';
import { routes } from '../apis/users/routes.ts';
import { formats } from '../formats/index.ts';
import { type Context, present, type Service, type State } from './context.ts';
import { negotiate, usualChoices } from './negotiation.ts';
import { HttpProblem } from './problems.ts';
import { respond } from './respond.ts';
import type { Route } from './route.ts';

/** Scope (403), then what the answer may be in (406); the handler goes on with 415, 413, 400, 428 and 422. */
function pipeline(route: Route, service: Service) {
  const usually = usualChoices(service.defaultChoice);
  return (ctx: Context): Promise<void> => {
    ctx.state.route = route.path;
    authorize(present(ctx.state.principal), route.operation);
    const { bodyChoice } = ctx.state;
    const { accept = '' } = ctx.req.headers;
    const choice = bodyChoice ? negotiate(accept, [bodyChoice, service.defaultChoice]) : usually(accept);
    if (choice !== undefined) ctx.state.choice = choice;
    else if (route.answersWithBody) throw notAcceptable();
    return route.handler(ctx, service);
  };
}

function notAcceptable(): HttpProblem {
  const types = formats.flatMap(({ mediaTypes }) => mediaTypes.map(({ type }) => type));
  return new HttpProblem('not-acceptable', `There is: ${types.join(', ')}.`);
}

function router(service: Service, basePath: string): Router<State> {
  const table = new Router<State>({ prefix: basePath, strict: true, sensitive: true });
  // One entry for each path: the router tries them all for every request.
  for (const path of new Set(routes.map((route) => route.path))) {
    const byMethod = new Map<string, ReturnType<typeof pipeline>>();
    for (const route of routes) if (route.path === path) byMethod.set(route.method, pipeline(route, service));
    const handle = (ctx: Context) => byMethod.get(ctx.method === 'HEAD' ? 'GET' : ctx.method)?.(ctx);
    table.register(path, [...byMethod.keys()], handle as never);
  }
  return table;
}

/** Where no route took the request: 404, or what the path does answer to (OPTIONS 204, else 405), with `Allow`. */
const elsewhere = (table: Router<State>) => (ctx: Context) => {
  const layers = table.match(ctx.path, ctx.method).path;
  if (layers.length === 0) throw new HttpProblem('no-such-resource', 'There is nothing at this path.');
  const allow = [...new Set(layers.flatMap(({ methods }) => methods)), 'OPTIONS'].sort().join(', ');
  if (ctx.method !== 'OPTIONS')
    throw new HttpProblem('method-not-allowed', `This path answers to ${allow}.`, { Allow: allow });
  return respond(ctx, { status: 204, fields: ['Allow', allow] });
};

/** The routes below the base path, and what is said where there is none. */
export function routing(service: Service, basePath: string): Koa.Middleware<State>[] {
  const table = router(service, basePath);
  return [table.routes() as never, elsewhere(table)];
}
