/** The service as a Koa application: what every request goes through, in order. */
import Koa from 'koa';
import type { Logger } from 'pino';
import type { Authenticator } from '../../domain/ports.ts';
import { User } from '../../domain/user.ts';
import type { Users } from '../../domain/users.ts';
import { formatNamed, formats } from '../formats/index.ts';
import { userNaming } from '../formats/user-naming.ts';
import { authentication } from './authentication.ts';
import { noteBodyFormat } from './body.ts';
import { type Context, type Next, present, type Service, type State } from './context.ts';
import { crossOrigin } from './cross-origin.ts';
import { answerFailure } from './failures.ts';
import { faultLog, type ReportFault } from './fault-log.ts';
import { health } from './health.ts';
import { loadShedding, type OverloadSettings } from './overload.ts';
import { published } from './published.ts';
import { checkHead, type HeadSettings } from './request-head.ts';
import { identify, logRequest } from './request-log.ts';
import { asterisk, root } from './root.ts';
import { routing } from './routing.ts';
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

/** Clients that leave early are no fault; the request's own line tells of them. */
const gone: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/**
 * What every request goes through, in this order, and where every failure ends. One middleware: each more, and each promise,
 * would cost every request.
 */
function front({ users, authenticators, settings, log }: HttpParts, service: Service, report: ReportFault) {
  const probes = health(users, settings.basePath);
  const documents = published(settings);
  const begins = root(settings);
  const shedding = loadShedding(settings.overload);
  const { principalOf, challenges } = authentication(authenticators);

  async function answered(ctx: Context, next: Next): Promise<void> {
    let entered = false;
    try {
      checkHead(ctx, settings);
      if (asterisk(ctx)) return;
      const { path } = ctx;
      const probed = probes(ctx, path);
      if (probed !== undefined) return await probed;
      shedding.enter(ctx);
      entered = true;
      const shown = documents(ctx, path);
      if (shown !== undefined) return await shown;
      if (begins(ctx, path)) return;
      const principal = principalOf(ctx);
      ctx.state.principal = principal instanceof Promise ? await principal : principal;
      await next();
    } catch (error) {
      answerFailure(error, ctx, { service, report, challenges: challenges(error, ctx) });
    } finally {
      if (entered) shedding.leave(ctx);
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
  const app = new Koa<State>();
  app.silent = true;
  const report = faultLog(log);
  app.on('error', (error: NodeJS.ErrnoException, ctx?: Context) => {
    if (!gone.has(error.code)) report(error, ctx?.state.requestId);
  });
  app.use(front(parts, service, report));
  for (const middleware of routing(service, settings.basePath)) app.use(middleware);
  return app;
}
