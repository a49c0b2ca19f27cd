/**
 * `/console/` and the paths below it: a static page for people. It uses the API like any other client.
 *
 * `page.ts` prints the page, with its policy and its settings, and finds the files that it loads. Their source is in the folder `console/`
 * of the repository. If the console is disabled, its paths answer 404.
 */
import { formats } from '../../formats/index.ts';
import { htmlType, printPage } from '../../http/html.ts';
import type { Api, Route } from '../../http/pipeline/api.ts';
import { respond } from '../../http/pipeline/respond.ts';
import { noSuchResource } from '../../http/problems/problems.ts';
import { staticRoutes } from '../../http/static-documents.ts';
import { type ConsoleSettings, fileDocuments, findConsoleFiles, policyOf, printConsole } from './page.ts';

const path = '/console/';
/** The page also has these paths: users, groups, all changes, and the import of files. */
const otherPaths = ['users', 'groups', 'activity', 'access', 'webhooks', 'import'].map(
  (name) => `/console/${name}`,
);
const pathWithoutSlash = '/console';

const route = (at: string, handle: Route['handle']): Route => ({
  method: 'GET',
  path: at,
  ignoresOtherParameters: true,
  isNegotiated: false,
  handle,
});

/** Relative, so that it works behind any prefix. */
const slashRoute = route(pathWithoutSlash, (ctx) =>
  respond(ctx, {
    status: 303,
    fields: ['Location', `console/${ctx.search}`, 'Cache-Control', 'no-cache'],
    vary: 'Accept-Encoding',
  }),
);

/** For people who mistype an address: browsers save a problem document as a file. */
const unknownPageRoute = route('/console/:page', (ctx) =>
  respond(ctx, {
    status: 404,
    fields: [
      'Content-Type',
      htmlType,
      'Cache-Control',
      'no-cache',
      'Content-Security-Policy',
      "default-src 'none'",
    ],
    content: printPage(
      'Page not found',
      '<meta name="color-scheme" content="light dark">',
      '<h1>Page not found</h1>\n<p>The console has no such page. <a href="./">Open the console</a></p>',
    ),
    vary: 'Accept-Encoding',
  }),
);

function refuse(): never {
  throw noSuchResource();
}

function consoleRoutes(settings: ConsoleSettings): readonly Route[] {
  if (!settings.console.enabled)
    return [path, pathWithoutSlash, ...otherPaths].map((at) => route(at, refuse));
  const files = findConsoleFiles();
  const page = {
    contentType: htmlType,
    policy: policyOf(settings),
    caching: 'no-cache',
    hasState: true,
    summary: 'The console',
    make: async () => printConsole(files, settings),
  };
  const pages = [path, ...otherPaths].map((at) => ({ ...page, path: at }));
  return [slashRoute, ...staticRoutes([...pages, ...fileDocuments(files)]), unknownPageRoute];
}

export const consoleApi = (settings: ConsoleSettings): Api => ({
  name: 'console',
  prefixes: ['/console'],
  access: 'open',
  formats,
  hasRelativeLinks: true,
  routes: consoleRoutes(settings),
});
