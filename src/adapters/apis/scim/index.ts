/**
 * `/scim/v2`: the directory for identity providers (RFC 7643, RFC 7644, RFC 9865).
 *
 * The kernel has checked a request's credentials and scope. `routesOf`, below, names the handler of each path:
 *
 * - `endpoint/` handles one resource: POST, GET, PUT, PATCH and DELETE.
 * - `list/` handles GET /Users and the `.search` paths, by index and by cursor; POST /.search reads all types as one list.
 * - `bulk/` handles POST /Bulk, whose operations call the writes of `endpoint/`.
 * - `discovery.ts` publishes `/Schemas`, `/ResourceTypes` and `/ServiceProviderConfig`. These are the contract, with docs/scim.md.
 *
 * `types/` has a definition for each resource type; `resource/resource-type.ts` derives everything else from it and the schema of its kind,
 * once, for the handlers of its endpoint. The examples in these folders are of users.
 *
 * The handlers share `protocol/`: their service, messages and errors. `resource/` converts between what is stored and a SCIM resource.
 * `filter/` and `patch/` implement the two languages of SCIM, independent of HTTP.
 *
 * To follow one write, read `endpoint/handlers.ts`, `endpoint/writes.ts`, `resource/read-resource.ts` and `resource/resource.ts`, in this
 * order. A first reading may skip `filter/` and `bulk/batches.ts`.
 */
import { hash } from 'node:crypto';
import { type Operation, scopeOf } from '../../../domain/scopes.ts';
import type { Format } from '../../formats/port/format.ts';
import type { Api, Route } from '../../http/pipeline/api.ts';
import type { Context, RequestBody } from '../../http/pipeline/context.ts';
import { HttpProblem } from '../../http/problems/problems.ts';
import { performBulk } from './bulk/bulk.ts';
import { maxBulkBytes } from './bulk/request.ts';
import { discoveryRoutes } from './discovery.ts';
import {
  createResource,
  patchResource,
  readResource,
  removeResource,
  replaceResource,
} from './endpoint/handlers.ts';
import { listResources, searchAll, searchResources } from './list/list.ts';
import { parameterNames } from './list/parameters.ts';
import { maxMessageBytes, scimJson } from './protocol/messages.ts';
import { printScimError } from './protocol/problems.ts';
import {
  base,
  type Endpoint,
  endpointFor,
  type ScimParts,
  type ScimService,
  scimService,
} from './protocol/service.ts';
import { foldName } from './resource/fold-name.ts';
import type { ResourceType } from './resource/resource-type.ts';

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

const namesOf = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, {}]));

/** RFC 7644 §3.4.2 asks providers to ignore what they don't know. */
const openQuery = { query: namesOf(...parameterNames), ignoresOtherParameters: true };

/**
 * For routes that delete: a misspelt `erase` must not become a mere deletion. They also accept the parameters of every request, and the flag in Entra
 * ID's tenant URL.
 */
const strictQuery = { query: namesOf('erase', ...parameterNames, 'aadOptscim062020') };

const routeOf = (prefix: string, [method, path, operation, handle]: Entry, endpoint: Endpoint): Route => ({
  method,
  path: base + prefix + path,
  scope: scopeOf(endpoint.type.kind.name, operation),
  // The response to a DELETE has no body.
  isNegotiated: method !== 'DELETE',
  handle: (ctx) => handle(ctx, endpointFor(ctx, endpoint)),
  ...(written.has(operation) && { takes: bodyOf(endpoint) }),
  // A search has all parameters in its body.
  ...(method === 'DELETE' ? strictQuery : handle === searchResources ? {} : openQuery),
});

const bodyOf = ({ type: { maxBodyBytes = maxMessageBytes } }: Endpoint): RequestBody => ({
  kind: 'whole',
  maxBytes: maxBodyBytes,
});

/** `/Me` is the user who sends the request (RFC 7644 §3.11); clients of this service are programs, not users. */
function refuseMe(): never {
  throw new HttpProblem('not-implemented', 'Clients are applications, not users.');
}

const meRoutes = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map(
  (method): Route => ({ method, path: `${base}/Me`, ...openQuery, isNegotiated: false, handle: refuseMe }),
);

const viewOf = ({ state }: Context, service: ScimService): ScimService =>
  service.viewFor(state.principal?.access);

/** The paths of each resource type, of Bulk, and of `/Me`, which is refused. */
const routesOf = (service: ScimService): readonly Route[] => [
  ...service.endpoints.flatMap((endpoint) =>
    entries.map((entry) => routeOf(endpoint.type.endpoint, entry, endpoint)),
  ),
  {
    ...{ method: 'POST', path: `${base}/.search`, isNegotiated: true },
    handle: (ctx) => searchAll(ctx, viewOf(ctx, service)),
  },
  {
    ...{ method: 'POST', path: `${base}/Bulk`, isNegotiated: true },
    handle: (ctx) => performBulk(ctx, viewOf(ctx, service)),
    takes: { kind: 'whole', maxBytes: maxBulkBytes },
  },
  ...meRoutes,
];

/** A text may be stored before its declaration, which gives it another place in SCIM without a new version: tags have a hash of all places. */
function formatOf(types: readonly Pick<ResourceType, 'members'>[]): Format {
  const declared = types.flatMap(({ members }) =>
    [...members.values()].filter(({ path }) => path.length > 1),
  );
  if (declared.length === 0) return scimJson;
  const mark = hash('sha256', JSON.stringify(declared), 'base64url').slice(0, 6);
  return { ...scimJson, revision: `${scimJson.revision}-${mark}` };
}

export function scimApi(parts: ScimParts): Api {
  const service = scimService(parts);
  return {
    name: 'scim',
    prefixes: [base],
    access: 'credentials',
    maxBodyBytes: maxMessageBytes,
    formats: [formatOf(parts.types.map(({ type }) => type))],
    problems: service.problems,
    printProblem: printScimError,
    foldParameter: foldName,
    isUnpinned: true,
    routes: [...routesOf(service), ...discoveryRoutes(service)],
  };
}
