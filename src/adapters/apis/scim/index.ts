/** `/scim/v2`: the same users for identity providers (RFC 7643, RFC 7644, RFC 9865). */
import type { Api } from '../../http/api.ts';
import { scimJson } from './base/messages.ts';
import { printScimError, scimProblems } from './base/problems.ts';
import { base, type ScimParts, scimService } from './base/service.ts';
import { discoveryRoutes } from './discovery.ts';
import { scimRoutes } from './routes.ts';

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
