/** What the service publishes of itself: OpenAPI, schemas, the problems' pages, and a page that tries requests. Open to all. */
import { formats } from '../../formats/index.ts';
import type { Api } from '../../http/api.ts';
import { problemPrinter } from '../../http/problem-details.ts';
import { type StaticDocument, staticRoutes } from '../../http/static-documents.ts';
import { type UrlSettings, urls } from '../../http/urls.ts';
import { contractDocuments } from './contract-documents.ts';
import { problemPages } from './problem-pages.ts';
import { rootRoutes } from './root.ts';
import { tryPage } from './try-page.ts';

export interface DocsParts {
  /** Those that are described, with this one after them. */
  readonly apis: readonly Api[];
  /** What APIs publish beside the OpenAPI document, such as a schema in a format's own language. */
  readonly documents: readonly StaticDocument[];
  readonly settings: UrlSettings;
}

export function docsApi({ apis, documents, settings }: DocsParts): Api {
  const url = urls(settings);
  const all = (): readonly Api[] => [...apis, docs];
  const contracts = contractDocuments(all, url, problemPrinter(url));
  const docs: Api = {
    name: 'contract',
    description: 'What the service publishes of itself. It needs no credentials and may be cached.',
    prefixes: ['/docs', '/problems'],
    access: 'open',
    isShed: true,
    maxBodyBytes: 1,
    formats,
    problems: {},
    routes: [
      ...rootRoutes(url, settings.basePath),
      ...staticRoutes([...contracts, ...documents, ...problemPages(apis), ...tryPage]),
    ],
  };
  return docs;
}
