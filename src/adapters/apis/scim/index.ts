/** `/scim/v2`: the same users for identity providers (RFC 7643, RFC 7644, RFC 9865). */
import type { Api } from '../../http/api.ts';
import { staticRoutes } from '../../http/static-documents.ts';
import { urls } from '../../http/urls.ts';
import { discoveryRoutes } from './discovery-routes.ts';
import { errorDocument, printScimError, scimProblems } from './problems.ts';
import { scimRoutes } from './routes.ts';
import { scimJson } from './scim-json.ts';
import { base, type ScimParts, scimService } from './service.ts';

/** In bytes after decoding; a Bulk may have more. */
const maxBodyBytes = 256 * 1024;

export function scimApi(parts: ScimParts): Api {
  const service = scimService(parts);
  const contract = staticRoutes([
    {
      path: `${base}/openapi.json`,
      contentType: 'application/json',
      summary: 'This document',
      make: async () => (await import('./contract.ts')).scimContract(api, urls(parts.settings)),
    },
  ]).map((route) => ({ ...route, id: 'openApi', access: 'open' as const }));
  const api: Api = {
    name: 'scim',
    description: 'The users of the directory for identity providers.',
    prefixes: [base],
    access: 'credentials',
    isShed: true,
    maxBodyBytes,
    formats: [scimJson],
    problems: scimProblems,
    failures: { print: printScimError, document: errorDocument },
    routes: [...scimRoutes(service), ...discoveryRoutes(service), ...contract],
  };
  return api;
}
