/** The service as a Koa application: the APIs it is made of, and at the end the steps that every request takes, in order. */
import Koa from 'koa';
import type { Logger } from 'pino';
import { formats } from '../formats/index.ts';
import type { Api } from './api.ts';
import { answerAsterisk } from './asterisk.ts';
import { type AuthenticationParts, authentication } from './authentication.ts';
import { noteBodyFormat } from './body.ts';
import type { Context, State } from './context.ts';
import { answerCrossOrigin } from './cross-origin.ts';
import { errorHandler } from './error-handler.ts';
import { faultLog } from './fault-log.ts';
import { apiFinder, mount } from './mount.ts';
import { loadShedding, type OverloadSettings } from './overload.ts';
import { problemPrinter } from './problem-details.ts';
import { checkHead, type HeadSettings } from './request-head.ts';
import { identify, requestLog } from './request-log.ts';
import { observeRequests, type RequestObserver } from './request-observer.ts';
import { catchErrors, runSteps } from './steps.ts';
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
  /** Told of every request, beside the log. */
  readonly observers?: readonly RequestObserver[];
}

/** For the paths that no API has: without credentials nobody learns that there is nothing. */
const unclaimed: Api = {
  name: 'unclaimed',
  prefixes: [],
  access: 'credentials',
  isShed: true,
  maxBodyBytes: 1,
  formats,
  problems: {},
  routes: [],
};

/** A client that leaves early is no fault; the request's own line in the log tells of it. */
const disconnectCodes: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

export function httpApp({ apis, settings, log, observers = [], ...credentials }: HttpParts): Koa<State> {
  const printProblem = problemPrinter(urls(settings));
  const mounted = apis.map((api) => mount(api, settings, printProblem));
  const findApi = apiFinder(mounted, mount(unclaimed, settings, printProblem), settings.basePath);
  const { authenticate, challengesFor } = authentication(credentials);
  const { admit, admitClient, leave } = loadShedding(settings.overload);
  const reportFault = faultLog(log);
  const handleError = errorHandler({ reportFault, challengesFor });
  const origins = settings.corsOrigins.split(' ').filter((origin) => origin !== '');

  const app = new Koa<State>();
  app.silent = true;
  app.on('error', (error: NodeJS.ErrnoException, ctx?: Context) => {
    if (!disconnectCodes.has(error.code)) reportFault(error, ctx?.state.requestId);
  });

  app.use(runSteps(identify, observeRequests([requestLog(log), ...observers]), findApi, noteBodyFormat));
  // Without origins there is nothing to vary by, so that caches keep one copy for all.
  if (origins.length > 0) app.use(answerCrossOrigin(origins));
  // Behind CORS, so that errors have its fields too.
  app.use(catchErrors(handleError, leave));
  app.use(runSteps(checkHead(settings)));
  app.use(answerAsterisk(apis));
  const tell = observers.flatMap(({ authenticated }) => authenticated ?? []);
  app.use(runSteps(admit, authenticate, ...tell, admitClient));
  app.use((ctx, next) => ctx.state.mounted.dispatch(ctx, next));
  return app;
}
