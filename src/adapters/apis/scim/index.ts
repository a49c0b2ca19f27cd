/** `/scim/v2`: the same users for identity providers (RFC 7643, RFC 7644, RFC 9865). */
import type { Api } from '../../http/api.ts';
import { discoveryRoutes } from './discovery.ts';
import { printScimError, scimProblems } from './problems.ts';
import { scimRoutes } from './routes.ts';
import { scimJson } from './scim-json.ts';
import { base, type ScimParts, scimService } from './service.ts';

/** In bytes after decoding; a Bulk may have more. */
const maxBodyBytes = 256 * 1024;

export function scimApi(parts: ScimParts): Api {
  const service = scimService(parts);
  return {
    name: 'scim',
    prefixes: [base],
    access: 'credentials',
    isShed: true,
    maxBodyBytes,
    formats: [scimJson],
    problems: scimProblems,
    printProblem: printScimError,
    routes: [...scimRoutes(service), ...discoveryRoutes(service)],
  };
}
