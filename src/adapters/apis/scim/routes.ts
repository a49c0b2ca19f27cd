/** The routes of each resource type, of Bulk, and of `/Me`, which is refused. */
import { type Operation, scopeOf } from '../../../domain/scopes.ts';
import type { Route } from '../../http/core/api.ts';
import type { Context, RequestBody } from '../../http/core/context.ts';
import { HttpProblem } from '../../http/problems/problems.ts';
import { maxBodyBytes as usualBodyBytes } from './base/messages.ts';
import { base, type Endpoint, type ScimService } from './base/service.ts';
import { performBulk } from './bulk/bulk.ts';
import { maxBulkBytes } from './bulk/request.ts';
import {
  createResource,
  patchResource,
  readResource,
  removeResource,
  replaceResource,
} from './endpoint/handlers.ts';
import { listResources, searchAll, searchResources } from './list/list.ts';

type Entry = readonly [
  method: Route['method'],
  path: string,
  operation: Operation,
  handle: (ctx: Context, endpoint: Endpoint) => Promise<void>,
];

const entries: readonly Entry[] = [
  ['GET', '', 'list', listResources],
  ['POST', '/.search', 'list', searchResources],
  ['POST', '', 'create', createResource],
  ['GET', '/:id', 'read', readResource],
  ['PUT', '/:id', 'replace', replaceResource],
  ['PATCH', '/:id', 'change', patchResource],
  ['DELETE', '/:id', 'remove', removeResource],
];

/** Operations whose body is a resource, or a change of one. */
const written: ReadonlySet<Operation> = new Set(['create', 'replace', 'change']);

const routeOf = (prefix: string, [method, path, operation, handle]: Entry, endpoint: Endpoint): Route => ({
  method,
  path: base + prefix + path,
  scope: scopeOf(endpoint.type.kind.name, operation),
  // The response to a DELETE has no body.
  isNegotiated: method !== 'DELETE',
  handle: (ctx) => handle(ctx, endpoint),
  ...(written.has(operation) && { takes: bodyOf(endpoint) }),
});

const bodyOf = ({ type: { maxBodyBytes = usualBodyBytes } }: Endpoint): RequestBody => ({
  kind: 'whole',
  maxBytes: maxBodyBytes,
});

/** `/Me` is the user who sends the request (RFC 7644 §3.11); clients of this service are programs, not users. */
function refuseMe(): never {
  throw new HttpProblem('not-implemented', 'Credentials here are of programs: none of them is a user.');
}

const meRoutes = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map(
  (method): Route => ({ method, path: `${base}/Me`, isNegotiated: false, handle: refuseMe }),
);

export const scimRoutes = (service: ScimService): readonly Route[] => [
  ...service.endpoints.flatMap((endpoint) =>
    entries.map((entry) => routeOf(endpoint.type.endpoint, entry, endpoint)),
  ),
  {
    ...{ method: 'POST', path: `${base}/.search`, isNegotiated: true },
    handle: (ctx) => searchAll(ctx, service),
  },
  {
    ...{ method: 'POST', path: `${base}/Bulk`, isNegotiated: true },
    handle: (ctx) => performBulk(ctx, service),
    takes: { kind: 'whole', maxBytes: maxBulkBytes },
  },
  ...meRoutes,
];
