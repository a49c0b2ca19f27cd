/** The routes of users and Bulk, and of `/Me`, which is refused. */
import { type Scope, scopeOf } from '../../../domain/scopes.ts';
import type { Route } from '../../http/core/api.ts';
import type { Context } from '../../http/core/context.ts';
import { HttpProblem } from '../../http/problems/problems.ts';
import { base, type ScimService } from './base/service.ts';
import { performBulk } from './bulk/bulk.ts';
import { maxBulkBytes } from './bulk/request.ts';
import { listUsers, searchUsers } from './list/list.ts';
import { createUser, patchUser, readUser, removeUser, replaceUser } from './users/handlers.ts';

type Handler = (ctx: Context, service: ScimService) => Promise<void>;
type Entry = readonly [method: Route['method'], path: string, scope: Scope, handle: Handler];

const entries: readonly Entry[] = [
  ['GET', '/Users', scopeOf('user', 'list'), listUsers],
  ['POST', '/Users/.search', scopeOf('user', 'list'), searchUsers],
  ['POST', '/.search', scopeOf('user', 'list'), searchUsers],
  ['POST', '/Users', scopeOf('user', 'create'), createUser],
  ['GET', '/Users/:id', scopeOf('user', 'read'), readUser],
  ['PUT', '/Users/:id', scopeOf('user', 'replace'), replaceUser],
  ['PATCH', '/Users/:id', scopeOf('user', 'change'), patchUser],
  ['DELETE', '/Users/:id', scopeOf('user', 'remove'), removeUser],
  // A DELETE in a Bulk also requires `scopeOf('user', 'remov')e`.
  ['POST', '/Bulk', scopeOf('user', 'create'), performBulk],
];

const routeOf = ([method, path, scope, handle]: Entry, service: ScimService): Route => ({
  method,
  path: base + path,
  scope,
  // The response to a DELETE has no body.
  isNegotiated: method !== 'DELETE',
  handle: (ctx) => handle(ctx, service),
  ...(path === '/Bulk' ? { takes: { kind: 'whole', maxBytes: maxBulkBytes } } : {}),
});

/** `/Me` is the user who sends the request (RFC 7644 §3.11); clients of this service are programs, not users. */
function refuseMe(): never {
  throw new HttpProblem('not-implemented', 'Credentials here are of programs: none of them is a user.');
}

const meRoutes = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map(
  (method): Route => ({ method, path: `${base}/Me`, isNegotiated: false, handle: refuseMe }),
);

export const scimRoutes = (service: ScimService): readonly Route[] => [
  ...entries.map((entry) => routeOf(entry, service)),
  ...meRoutes,
];
