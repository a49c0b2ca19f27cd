/**
 * The base of the handlers in `endpoint/`, `list/`, `bulk/` and `discovery.ts`.
 *
 * `scimService` creates what the handlers receive beside the request's context: the service with the settings and the URL builder, and in it
 * an endpoint for each resource type, with its use cases. The functions in this file read what all handlers need from a request (the
 * principal, the lock in its header fields) and create what all of them show (the resource, its location, its entity tag).
 *
 * `related.ts` adds memberships to a resource, where a response shows them.
 *
 * `messages.ts` handles messages: URNs, media types, reading bodies and sending documents. `problems.ts` handles errors: the codes of this
 * API, and the error message of RFC 7644 §3.12.
 *
 * Nothing here imports a handler.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { hidesMembers } from '../../../../domain/access/profile.ts';
import type { Access } from '../../../../domain/find/access.ts';
import { matchesNone } from '../../../../domain/find/conditions.ts';
import type { Authenticator, Caller, Ids, Principal } from '../../../../domain/ports.ts';
import type { Resource } from '../../../../domain/resource/resource.ts';
import type { Stored } from '../../../../domain/resource/stored.ts';
import type { RelatedIds } from '../../../../domain/store.ts';
import type { Precondition } from '../../../../domain/use-cases/resource-writes.ts';
import type { Resources } from '../../../../domain/use-cases/resources.ts';
import type { Choice } from '../../../http/headers/negotiation.ts';
import { entityTag, preconditionOfWrite, requireIfMatch } from '../../../http/pipeline/conditional.ts';
import { assertPresent, type Context } from '../../../http/pipeline/context.ts';
import { type UrlSettings, type Urls, urls } from '../../../http/pipeline/urls.ts';
import type { ProblemTypes } from '../../../http/problems/problem-types.ts';
import { conditionsOn, membersState } from '../../resources/validators.ts';
import { toResource } from '../resource/resource.ts';
import { type ResourceType, resourceType } from '../resource/resource-type.ts';
import { scimProblems } from './problems.ts';

export const base = '/scim/v2';

export interface ScimSettings extends UrlSettings {
  readonly requireIfMatch: boolean;
  readonly sharedCaching: boolean;
  readonly scim: {
    /** The maximum number of resources scanned for a filter that no index answers. */
    readonly maxScanned: number;
  };
}

/** A resource type, with the use cases of its kind. */
export interface ServedType {
  readonly type: ResourceType;
  readonly resources: Resources<Resource>;
  /** The values of the type's relation, if it has one. */
  readonly related?: Related;
}

export interface Related {
  /** The use cases of the values' kind. */
  readonly resources: Pick<Resources<Resource>, 'readAll'>;
  /** Their ids, by id of the resource: at most `limit` each, in any order. */
  read(principal: Principal, ids: readonly string[], limit: number): Promise<RelatedIds>;
  has(principal: Principal, id: string, value: string): Promise<boolean>;
}

export interface ScimParts {
  readonly types: readonly ServedType[];
  readonly ids: Pick<Ids, 'id'>;
  /** The schemes of the accepted credentials. */
  readonly schemes: readonly Authenticator['scheme'][];
  readonly settings: ScimSettings;
}

export interface ScimService extends Pick<ScimParts, 'ids' | 'schemes'> {
  readonly endpoints: readonly Endpoint[];
  readonly problems: ProblemTypes;
  /** The URL of a path below `/scim/v2`. */
  readonly url: Urls;
  readonly requireIfMatch: boolean;
  readonly maxScanned: number;
  /** The Cache-Control of reads. Responses with a relation aren't shared between clients, since the scopes decide which of its values are shown. */
  readonly cacheControl: (hasRelation: boolean) => string;
  /** The access of the clients that it serves, if they have a profile. */
  readonly access: Access | undefined;
  /** The service for clients with this access: it hides what their profile hides. */
  viewFor(access: Access | undefined): ScimService;
}

/** What the handlers of one resource type receive. */
export interface Endpoint extends ServedType {
  readonly service: ScimService;
}

/** One for each profile, made with its first request: types take milliseconds. */
export function scimService(parts: ScimParts): ScimService {
  const views = new WeakMap<Access, ScimService>();
  const viewFor = (access: Access | undefined): ScimService => {
    if (access === undefined) return whole;
    const view = views.get(access) ?? serviceFor(parts, access, viewFor);
    views.set(access, view);
    return view;
  };
  const whole = serviceFor(parts, undefined, viewFor);
  return whole;
}

function serviceFor(
  { types, ids, schemes, settings }: ScimParts,
  access: Access | undefined,
  viewFor: ScimService['viewFor'],
): ScimService {
  const url = urls(settings);
  const isShared = settings.sharedCaching && access === undefined;
  const endpoints: Endpoint[] = [];
  const service: ScimService = {
    endpoints,
    problems: scimProblems(types.map(({ type }) => type)),
    ids,
    schemes,
    url: (path) => url(base + path),
    requireIfMatch: settings.requireIfMatch,
    maxScanned: settings.scim.maxScanned,
    cacheControl: (hasRelation) =>
      isShared && !hasRelation ? 'public, no-cache, must-revalidate' : 'private, no-cache',
    access,
    viewFor,
  };
  for (const { type, ...one } of types)
    endpoints.push({ service, ...one, type: access === undefined ? type : resourceType(type, access) });
  return service;
}

export const principalOf = (ctx: Context): Caller => assertPresent(ctx.state.principal);

/** The endpoint as the client of the request sees it. */
export function endpointFor({ state }: Context, { service, type }: Endpoint): Endpoint {
  const { endpoints } = service.viewFor(state.principal?.access);
  return assertPresent(endpoints.find((one) => one.type.kind === type.kind));
}

/** All endpoints, except those of kinds that the client's profile leaves out. */
export const shownEndpoints = ({ endpoints, access }: ScimService): readonly Endpoint[] =>
  endpoints.filter(({ type }) => access === undefined || !matchesNone(access.of(type.kind.name).where));

export const locationOf = ({ service, type }: Endpoint, id: string): string =>
  service.url(`${type.endpoint}/${id}`);

/** Whether the client isn't told when the members of a group change, since it doesn't see all of them. */
const hidesChanges = ({ type: { kind }, service: { access } }: Endpoint): boolean =>
  access !== undefined && kind.members !== undefined && hidesMembers(access, kind.name, kind.members);

/** The version covers the relation: not the groups of a user, and not members if the profile's filter leaves some of them out. */
export const isVersioned = (endpoint: Endpoint): boolean =>
  endpoint.type.kind.members !== undefined && !hidesChanges(endpoint);

/** The part of tags beside the version. */
export const stateOf = (endpoint: Endpoint): typeof membersState =>
  hidesChanges(endpoint) ? () => undefined : membersState;

/** The strong entity tag of a resource in this representation, repeated in `meta.version`. */
export const tagOf = (endpoint: Endpoint, stored: Stored<Resource>, choice: Choice): string =>
  entityTag(stored.meta.version, choice, stateOf(endpoint)(stored), { access: endpoint.service.access });

/** @param choice left out: without a version @throws DomainError `damaged` */
export const resourceOf = (endpoint: Endpoint, stored: Stored<Resource>, choice?: Choice) =>
  stored.read(() =>
    toResource(
      endpoint.type,
      stored.value,
      (id) => locationOf(endpoint, id),
      choice && (() => tagOf(endpoint, stored, choice)),
    ),
  );

/** The precondition of a write, evaluated when the write happens. @throws HttpProblem 400, 428 */
export function lockOf(headers: IncomingHttpHeaders, endpoint: Endpoint): Precondition | undefined {
  if (endpoint.service.requireIfMatch) requireIfMatch(headers);
  return preconditionOfWrite(conditionsOn(endpoint.type.kind, headers), stateOf(endpoint));
}
