/**
 * The documentation API, open to all: OpenAPI, schemas, problem pages, and a page to try requests.
 *
 * In: the APIs to describe. Out: static documents (http/static-documents.ts):
 * - `contract-documents.ts`: OpenAPI (contracts/openapi.ts) and the schema of problems, and those of each minor version at paths of its own;
 * - `pages.ts`: pages for people. `/` redirects to the one for trying requests.
 *
 * APIs add documents of their own, such as the schemas of users.
 */

import { formats } from '../../formats/index.ts';
import type { DescribedApi, DescribedRoute } from '../../http/pipeline/api.ts';
import { respond } from '../../http/pipeline/respond.ts';
import { type UrlSettings, type Urls, urls } from '../../http/pipeline/urls.ts';
import { problemPrinter } from '../../http/problems/problems.ts';
import { type StaticDocument, staticRoutes } from '../../http/static-documents.ts';
import { contractDocuments, versionedDocuments } from './contract-documents.ts';
import { problemPages, tryDocuments } from './pages.ts';

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
  answers: [{ status: 303, description: 'It is at `Location`.', headers: ['Location'] }],
});

/** Under a base path, also without the slash. */
const rootRoutes = (url: Urls, basePath: string): DescribedRoute[] => [
  rootRoute('/', 'root', url('/docs')),
  ...(basePath === '' ? [] : [rootRoute('', 'rootWithoutSlash', url('/docs'))]),
];

interface DocsParts {
  /** The APIs to describe; this API follows them. */
  readonly apis: readonly DescribedApi[];
  /** Documents of these APIs beside OpenAPI: schemas in a format's own language. */
  readonly documents: readonly StaticDocument[];
  readonly settings: UrlSettings & { readonly console: { readonly enabled: boolean } };
}

export function docsApi({ apis, documents, settings }: DocsParts): DescribedApi {
  const url = urls(settings);
  const describedApis = (): readonly DescribedApi[] => [...apis, docs];
  const published = [...contractDocuments(describedApis, url, problemPrinter(url)), ...documents];
  const docs: DescribedApi = {
    name: 'contract',
    description: 'What the service publishes of itself. It needs no credentials and may be cached.',
    prefixes: ['/docs', '/problems', '/schemas'],
    access: 'open',
    formats,
    hasRelativeLinks: true,
    routes: [
      ...rootRoutes(url, settings.basePath),
      ...staticRoutes([
        ...published,
        ...versionedDocuments(published),
        ...problemPages(apis),
        ...tryDocuments(published, settings.console.enabled),
      ]),
    ],
  };
  return docs;
}
