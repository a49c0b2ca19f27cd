/** `/` redirects to the documentation. */
import type { DescribedRoute } from '../../http/pipeline/api.ts';
import { respond } from '../../http/pipeline/respond.ts';
import type { Urls } from '../../http/pipeline/urls.ts';

const rootRoute = (path: string, id: string, docs: string): DescribedRoute => ({
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

/** Under a base path, also without the slash. */
export const rootRoutes = (url: Urls, basePath: string): DescribedRoute[] => [
  rootRoute('/', 'root', url('/docs')),
  ...(basePath === '' ? [] : [rootRoute('', 'rootWithoutSlash', url('/docs'))]),
];
