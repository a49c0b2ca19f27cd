/**
 * `/scim/v2`: the directory for identity providers (RFC 7643, RFC 7644, RFC 9865).
 *
 * The kernel has checked a request's credentials and scope. `routes.ts` names the handler of each path:
 *
 * - `endpoint/` handles one resource: POST, GET, PUT, PATCH and DELETE.
 * - `list/` handles GET /Users and the `.search` paths, by index and by cursor; POST /.search reads all types as one list.
 * - `bulk/` handles POST /Bulk, whose operations call the writes of `endpoint/`.
 * - `discovery.ts` publishes `/Schemas`, `/ResourceTypes` and `/ServiceProviderConfig`. These are the contract, with docs/scim.md.
 *
 * `types/` has a definition for each resource type; `resource/resource-type.ts` derives everything else from it and the schema of its kind,
 * once, for the handlers of its endpoint. The examples in these folders are of users.
 *
 * The handlers share `base/`: their service, messages and errors. `resource/` converts between what is stored and a SCIM resource.
 * `filter/` and `patch/` implement the two languages of SCIM, independent of HTTP.
 *
 * To follow one write, read `routes.ts`, `endpoint/handlers.ts`, `endpoint/writes.ts`, `resource/read-resource.ts` and `resource/resource.ts`, in
 * this order. A first reading may skip `filter/` and `bulk/batches.ts`.
 */
import type { Api } from '../../http/core/api.ts';
import { maxBodyBytes, scimJson } from './base/messages.ts';
import { printScimError } from './base/problems.ts';
import { base, type ScimParts, scimService } from './base/service.ts';
import { discoveryRoutes } from './discovery.ts';
import { scimRoutes } from './routes.ts';

export function scimApi(parts: ScimParts): Api {
  const service = scimService(parts);
  return {
    name: 'scim',
    prefixes: [base],
    access: 'credentials',
    isShed: true,
    maxBodyBytes,
    formats: [scimJson],
    problems: service.problems,
    printProblem: printScimError,
    routes: [...scimRoutes(service), ...discoveryRoutes(service)],
  };
}
