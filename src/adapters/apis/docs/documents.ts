/** Everything that is published: each by its path, and made when it is first asked for. */
import type { Urls } from '../../http/urls.ts';
import { problemPages } from './problem-pages.ts';
import { docs } from './try-page.ts';

export interface Published {
  /** Below the base path. */
  readonly path: string;
  /** The same with its variable part named, for the log and the contract. */
  readonly route: string;
  readonly contentType: string;
  readonly summary: string;
  /** The Content-Security-Policy of a page. */
  readonly policy?: string;
  make(parts: ContractParts): Promise<string | Buffer>;
}

export interface ContractParts {
  readonly url: Urls;
}

const at = (path: string, contentType: string, summary: string, make: Published['make']): Published => ({
  ...{ path, route: path, contentType, summary, make },
});

const contracts: readonly Published[] = [
  at('/openapi.json', 'application/json', 'This document, as JSON', async (parts) => {
    const { openApi } = await import('../../contracts/openapi.ts');
    return JSON.stringify(openApi(parts, documents), null, 2);
  }),
  at('/openapi.yaml', 'application/yaml', 'This document, as YAML', async (parts) => {
    const [{ openApi }, { yaml }] = await Promise.all([
      import('../../contracts/openapi.ts'),
      import('./yaml.ts'),
    ]);
    return yaml(openApi(parts, documents));
  }),
  at('/schemas/user.json', 'application/schema+json', 'Users as JSON Schema', async () => {
    const { jsonSchema } = await import('./json-schemas.ts');
    return JSON.stringify(jsonSchema(), null, 2);
  }),
  at('/schemas/user.xsd', 'application/xml; charset=utf-8', 'Users as XML Schema', async () => {
    const { userXsd } = await import('./xml-schemas.ts');
    return userXsd();
  }),
  at('/schemas/problem.xsd', 'application/xml; charset=utf-8', 'Problems as XML Schema', async () => {
    const { problemXsd } = await import('./xml-schemas.ts');
    return problemXsd();
  }),
];

export const documents: readonly Published[] = [...contracts, ...problemPages, ...docs];
