/** The service as a Koa application: the APIs it is made of, and the steps that every request takes, in order. */
import Koa from 'koa';
import type { Logger } from 'pino';
import { formats } from '../formats/index.ts';
import type { Api } from './api.ts';
import { answerAsterisk } from './asterisk.ts';
import { type AuthenticationParts, authentication } from './authentication.ts';
import { noteBodyFormat } from './body.ts';
import type { Context, Next, State } from './context.ts';
import { answerCrossOrigin } from './cross-origin.ts';
import { type ErrorHandler, errorHandler } from './error-handler.ts';
import { faultLog } from './fault-log.ts';
import { locator, mount } from './mount.ts';
import { type LoadShedding, loadShedding, type OverloadSettings } from './overload.ts';
import { problemDetails } from './problem-details.ts';
import { checkHead, type HeadSettings } from './request-head.ts';
import { identify, logRequest } from './request-log.ts';
import { type UrlSettings, urls } from './urls.ts';

export interface HttpSettings extends UrlSettings, HeadSettings {
  /** The name of the format that is preferred between equals. */
  readonly defaultFormat: string;
  /** Separated by spaces; empty: no CORS. */
  readonly corsOrigins: string;
  readonly overload: OverloadSettings;
}

export interface HttpParts extends AuthenticationParts {
  readonly apis: readonly Api[];
  readonly settings: HttpSettings;
  readonly log: Logger;
}

/** Paths that no API has: nobody learns without credentials that there is nothing. */
const elsewhere: Api = {
  name: 'elsewhere',
  description: '',
  prefixes: [],
  access: 'credentials',
  isShed: true,
  maxBodyBytes: 1,
  formats,
  problems: {},
  routes: [],
};

/** One step. What isn't settled at once costs a promise. @throws whatever shall end the request: the error handler has it */
type Step = (ctx: Context) => Promise<void> | void;

/** In order, and then what follows. */
const inOrder =
  (steps: readonly Step[]) =>
  async (ctx: Context, next: Next): Promise<void> => {
    for (const step of steps) {
      const pending = step(ctx);
      if (pending !== undefined) await pending;
    }
    await next();
  };

/** Where every failure ends, and what was entered is left. */
const guard =
  (handleError: ErrorHandler, shedding: LoadShedding) =>
  async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      handleError(error, ctx);
    } finally {
      shedding.leave(ctx);
    }
  };

/** Clients that leave early are no fault; the request's own line tells of them. */
const gone: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

export function httpApp({ apis, settings, log, ...credentials }: HttpParts): Koa<State> {
  const printProblem = problemDetails(urls(settings));
  const mounted = apis.map((api) => mount(api, settings, printProblem));
  const locate = locator(mounted, mount(elsewhere, settings, printProblem), settings.basePath);
  const shedding = loadShedding(settings.overload);
  const { principalOf, challenges } = authentication(credentials);
  const report = faultLog(log);

  const findApi: Step = (ctx) => {
    ctx.state.mounted = locate(ctx.path);
    noteBodyFormat(ctx);
  };
  const shedLoad: Step = (ctx) => {
    if (ctx.state.mounted.api.isShed) shedding.enter(ctx);
  };
  const authenticate: Step = (ctx) => {
    if (ctx.state.mounted.isOpen(ctx.path)) return undefined;
    const principal = principalOf(ctx);
    if (!(principal instanceof Promise)) {
      ctx.state.principal = principal;
      return undefined;
    }
    return principal.then((proved) => {
      ctx.state.principal = proved;
    });
  };

  const app = new Koa<State>();
  app.silent = true;
  app.on('error', (error: NodeJS.ErrnoException, ctx?: Context) => {
    if (!gone.has(error.code)) report(error, ctx?.state.requestId);
  });
  app.use(inOrder([identify, (ctx) => logRequest(ctx, log), findApi]));
  // Without origins there is nothing to vary by, so that caches keep one copy for all.
  const origins = settings.corsOrigins.split(' ').filter((origin) => origin !== '');
  if (origins.length > 0) app.use(answerCrossOrigin(origins));
  app.use(guard(errorHandler({ report, challenges }), shedding));
  app.use(inOrder([(ctx) => checkHead(ctx, settings)]));
  app.use(answerAsterisk(apis));
  app.use(inOrder([shedLoad, authenticate]));
  app.use((ctx, next) => ctx.state.mounted.dispatch(ctx, next));
  return app;
}
