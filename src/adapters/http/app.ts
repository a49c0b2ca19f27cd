/** The service as a Koa application: what every request goes through, in order. */
import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import type { Authenticator } from '../../domain/ports.ts';
import { authorize } from '../../domain/scopes.ts';
import { User } from '../../domain/user.ts';
import type { Users } from '../../domain/users.ts';
import { formatNamed, formats } from '../formats/index.ts';
import { userNaming } from '../formats/user-naming.ts';
import { authentication } from './authentication.ts';
import { noteBodyFormat } from './body.ts';
import { type Context, type Next, present, type Service, type State } from './context.ts';
import { crossOrigin } from './cross-origin.ts';
import { answerFailure, type ReportFault } from './failures.ts';
import { health } from './health.ts';
import { negotiate, usualChoices } from './negotiation.ts';
import { loadShedding, type OverloadSettings } from './overload.ts';
import { HttpProblem } from './problems.ts';
import { published } from './published.ts';
import { checkHead, type HeadSettings } from './request-head.ts';
import { identify, logRequest } from './request-log.ts';
import { respond } from './respond.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';
import { type UrlSettings, urls } from './urls.ts';
import { userPrinter } from './user-printer.ts';

export interface HttpSettings extends UrlSettings, HeadSettings {
  /** The name of the format that is preferred between equals. */
  readonly defaultFormat: string;
  readonly requireIfMatch: boolean;
  /** Lets shared caches keep what was read; they ask here each time all the same. */
  readonly sharedCaching: boolean;
  /** Separated by spaces; empty: no CORS. */
  readonly corsOrigins: string;
  readonly overload: OverloadSettings;
}

export interface HttpParts {
  readonly users: Users;
  readonly authenticators: readonly Authenticator[];
  readonly settings: HttpSettings;
  readonly log: Logger;
}

function serviceOf({ users, settings }: Pick<HttpParts, 'users' | 'settings'>): Service {
  const codecs = new Map(formats.map((format) => [format, format.codec<User>(User, userNaming)] as const));
  const printers = new Map([...codecs].map(([format, codec]) => [format, userPrinter(codec)]));
  return {
    users,
    url: urls(settings),
    codec: (format) => present(codecs.get(format)),
    printer: (format) => present(printers.get(format)),
    defaultChoice: { format: formatNamed(settings.defaultFormat), index: 0 },
    requireIfMatch: settings.requireIfMatch,
    cacheControl: settings.sharedCaching ? 'public, no-cache, must-revalidate' : 'private, no-cache',
  };
}

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

/** Clients that leave early are no fault; the request's own line tells of them. */
const gone: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/**
 * What every request goes through, in this order, and where every failure ends. One middleware: each more, and each promise,
 * would cost every request.
 */
function front({ users, authenticators, settings, log }: HttpParts, service: Service) {
  const probes = health(users, settings.basePath);
  const documents = published(settings);
  const shedding = loadShedding(settings.overload);
  const { principalOf, challenges } = authentication(authenticators);
  const report: ReportFault = (err, id) => log.error({ err, id }, 'failed');

  async function answered(ctx: Context, next: Next): Promise<void> {
    let entered = false;
    try {
      checkHead(ctx, settings);
      const { path } = ctx;
      const probed = probes(ctx, path);
      if (probed !== undefined) return await probed;
      shedding.enter(ctx);
      entered = true;
      const shown = documents(ctx, path);
      if (shown !== undefined) return await shown;
      const principal = principalOf(ctx);
      ctx.state.principal = principal instanceof Promise ? await principal : principal;
      await next();
    } catch (error) {
      answerFailure(error, ctx, { service, report, challenges: challenges(error, ctx) });
    } finally {
      if (entered) shedding.leave();
    }
  }

  // Without origins there is nothing to vary by, so that caches keep one copy for all.
  const origins = settings.corsOrigins.split(' ').filter((origin) => origin !== '');
  const shared = origins.length > 0 ? crossOrigin(origins, answered) : answered;
  return (ctx: Context, next: Next): Promise<void> => {
    identify(ctx);
    logRequest(ctx, log);
    noteBodyFormat(ctx);
    return shared(ctx, next);
  };
}

export function httpApp(parts: HttpParts): Koa<State> {
  const { settings, log } = parts;
  const service = serviceOf(parts);
  const table = router(service, settings.basePath);
  const app = new Koa<State>();
  app.silent = true;
  app.on('error', (error: NodeJS.ErrnoException, ctx?: Context) => {
    if (!gone.has(error.code)) log.error({ err: error, id: ctx?.state.requestId }, 'failed');
  });
  app
    .use(front(parts, service))
    .use(table.routes() as never)
    .use(elsewhere(table));
  return app;
}
