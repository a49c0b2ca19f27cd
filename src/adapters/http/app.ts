/**
 * The kernel: the service as a Koa application. It knows no API and no store by name.
 *
 * Input: APIs (`pipeline/api.ts`), each a value with prefixes, routes, access, formats and problems; the accepted credentials; settings.
 * Output: an application for `server/server.ts`, which owns sockets, pipelining and shutdown.
 *
 * A request passes these steps, in the order in which `httpApp` below adds them:
 *  1. identified, logged and observed; the API that its path belongs to is found (`pipeline/dispatch.ts`);
 *  2. CORS (`cors.ts`), then the handler that turns errors into the client's format (`pipeline/error-handler.ts`);
 *  3. the checks of its head (`request-head.ts`), and `OPTIONS *`;
 *  4. admitted under load (`pipeline/overload.ts`; `scheduler/` shares fairly between clients), authenticated, and admitted again as one of its client's requests;
 *  5. dispatched: route, scope, Accept, body (`pipeline/read-body.ts`), preconditions (`pipeline/conditional.ts`), handler;
 *  6. answered (`pipeline/respond.ts`): representation, tag, compression, within the budget of all answers that are being sent.
 *
 * On a first reading skip `pipeline/request-budget.ts` and `response-budget.ts` (limits of memory), `server/` (connections) and `log/`. `headers/`
 * parses fields; `problems/` is the catalogue of errors (RFC 9457).
 */

import Koa from 'koa';
import type { Logger } from 'pino';
import { formats } from '../formats/index.ts';
import { type AuthenticationParts, authentication } from './authentication.ts';
import { answerCrossOrigin } from './cors.ts';
import { type Api, closing } from './pipeline/api.ts';
import type { Context, Next, State, Step } from './pipeline/context.ts';
import { answerServerWideOptions, apiFinder } from './pipeline/dispatch.ts';
import { type ErrorHandler, errorHandler, faultLog } from './pipeline/error-handler.ts';
import { loadShedding, type OverloadSettings } from './pipeline/overload.ts';
import { noteBodyFormat } from './pipeline/read-body.ts';
import { observeRequests, type RequestObserver } from './pipeline/request-observer.ts';
import { type UrlSettings, urls } from './pipeline/urls.ts';
import { problemPrinter } from './problems/problems.ts';
import { checkHead, type HeadSettings, readTarget, shortenLists } from './request-head.ts';
import { identify, requestLog } from './server/request-log.ts';

export interface HttpSettings extends UrlSettings, HeadSettings {
  /** The name of the format that is preferred between equals. */
  readonly defaultFormat: string;
  /** Separated by spaces; empty: no CORS. */
  readonly corsOrigins: string;
  readonly overload: OverloadSettings;
  readonly connections: HeadSettings['connections'] & {
    /** 0: no limit. */
    readonly max: number;
  };
}

interface HttpParts extends AuthenticationParts {
  readonly apis: readonly Api[];
  readonly settings: HttpSettings;
  readonly log: Logger;
  /** Observers of every request, besides the log. */
  readonly observers?: readonly RequestObserver[];
}

/** For paths that belong to no API: without credentials the response doesn't reveal that nothing is there. */
const unclaimed: Api = { name: 'unclaimed', prefixes: [], access: 'credentials', formats, routes: [] };

/** A client that disconnects early is no fault; the request's own line in the log shows it. */
const disconnectCodes: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** No step is asynchronous: each promise is 2 % of the cost of a small read. */
const runSteps =
  (...steps: readonly Step[]) =>
  (ctx: Context, next: Next): Promise<unknown> => {
    for (const step of steps) step(ctx);
    return next();
  };

/** @param handleError for errors of the middleware behind it @param leave at the end of every request, failed or not */
const catchErrors =
  (handleError: ErrorHandler, leave: (ctx: Context) => void) =>
  async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      handleError(error, ctx);
    } finally {
      leave(ctx);
    }
  };

export function httpApp({ apis, settings, log, observers = [], ...credentials }: HttpParts): Koa<State> {
  const printProblem = problemPrinter(urls(settings));
  const findApi = apiFinder(apis, unclaimed, settings, printProblem);
  const { authenticate, challengesFor } = authentication(credentials);
  const { admit, authenticating, admitClient, leave } = loadShedding(
    settings.overload,
    settings.connections.max,
  );
  const authenticateAdmitted = authenticating(authenticate);
  const reportFault = faultLog(log);
  const handleError = errorHandler({ reportFault, challengesFor });
  const origins = settings.corsOrigins.split(' ').filter((origin) => origin !== '');

  const app = new Koa<State>();
  app.once(closing, () => {
    for (const api of apis) api.onClosing?.();
  });
  app.silent = true;
  app.on('error', (error: NodeJS.ErrnoException, ctx?: Context) => {
    if (!disconnectCodes.has(error.code)) reportFault(error, ctx?.state.requestId);
  });

  app.use(
    runSteps(
      readTarget,
      shortenLists,
      identify,
      observeRequests([requestLog(log), ...observers]),
      findApi,
      noteBodyFormat,
    ),
  );
  // Without origins responses don't vary, and caches keep a single copy.
  if (origins.length > 0) app.use(answerCrossOrigin(origins));
  // After CORS, so that errors have its fields too.
  app.use(catchErrors(handleError, leave));
  app.use(runSteps(checkHead(settings)));
  app.use(answerServerWideOptions(apis));
  app.use((ctx, next) => {
    const proceed = () => {
      admitClient(ctx);
      return next();
    };
    admit(ctx);
    const pending = authenticateAdmitted(ctx);
    return pending === undefined ? proceed() : pending.then(proceed);
  });
  app.use((ctx, next) => ctx.state.mounted.dispatch(ctx, next));
  return app;
}
