/** `/`, where people begin: it leads them to the documentation. */
import type { Route } from '../../http/api.ts';
import { respond } from '../../http/respond.ts';
import type { Urls } from '../../http/urls.ts';

const rootAt = (path: string, id: string, docs: string): Route => ({
  method: 'GET',
  path,
  id,
  isNegotiated: false,
  handle: (ctx) =>
    respond(ctx, {
      status: 303,
      fields: ['Location', docs, 'Cache-Control', 'no-cache'],
      vary: 'Accept-Encoding',
    }),
  summary: 'Find the documentation',
  headers: [],
  answers: [{ status: 303, description: 'It is at `Location`.', headers: ['Location'] }],
  problems: [],
});

/** With the slash and, below a base path, without it. */
export const rootRoutes = (url: Urls, basePath: string): Route[] => [
  rootAt('/', 'root', url('/docs')),
  ...(basePath === '' ? [] : [rootAt('', 'rootWithoutSlash', url('/docs'))]),
];
