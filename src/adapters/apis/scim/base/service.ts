/**
 * The base of the handlers in `users/`, `list/`, `bulk/` and `discovery.ts`.
 *
 * `scimService` creates the value that every handler receives beside the request's context: the use cases, the settings and the URL
 * builder. The functions in this file read what all handlers need from a request (the principal, the lock in its header fields) and create
 * what all of them show of a user (the resource, its location, its entity tag).
 *
 * `messages.ts` handles messages: URNs, media types, reading bodies and sending documents. `problems.ts` handles errors: the codes of this
 * API, and the error message of RFC 7644 §3.12.
 *
 * Nothing here imports a handler.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { User } from '../../../../domain/kinds/user/user.ts';
import type { Authenticator, Caller, Ids } from '../../../../domain/ports.ts';
import type { Stored } from '../../../../domain/resource/stored.ts';
import type { Precondition } from '../../../../domain/resources.ts';
import type { Users } from '../../../../domain/users.ts';
import { entityTag, preconditionOfWrite, requireIfMatch } from '../../../http/core/conditional.ts';
import { assertPresent, type Context } from '../../../http/core/context.ts';
import { type UrlSettings, type Urls, urls } from '../../../http/core/urls.ts';
import type { Choice } from '../../../http/headers/negotiation.ts';
import { toResource } from '../resource/resource.ts';

export const base = '/scim/v2';

export interface ScimSettings extends UrlSettings {
  readonly requireIfMatch: boolean;
  readonly sharedCaching: boolean;
  readonly scim: {
    /** The maximum number of users scanned for a filter that no index answers. */
    readonly maxScanned: number;
  };
}

export interface ScimParts {
  readonly users: Users;
  readonly ids: Pick<Ids, 'id'>;
  /** The schemes of the accepted credentials. */
  readonly schemes: readonly Authenticator['scheme'][];
  readonly settings: ScimSettings;
}

export interface ScimService extends Pick<ScimParts, 'users' | 'ids' | 'schemes'> {
  /** The URL of a path below `/scim/v2`. */
  readonly url: Urls;
  readonly requireIfMatch: boolean;
  readonly maxScanned: number;
  /** The Cache-Control of reads. */
  readonly cacheControl: string;
}

export function scimService({ users, ids, schemes, settings }: ScimParts): ScimService {
  const url = urls(settings);
  return {
    users,
    ids,
    schemes,
    url: (path) => url(base + path),
    requireIfMatch: settings.requireIfMatch,
    maxScanned: settings.scim.maxScanned,
    cacheControl: settings.sharedCaching ? 'public, no-cache, must-revalidate' : 'private, no-cache',
  };
}

export const principalOf = (ctx: Context): Caller => assertPresent(ctx.state.principal);

export const locationOf = (service: ScimService, id: string): string => service.url(`/Users/${id}`);

/** The strong entity tag of a user in this representation, repeated in `meta.version`. */
export const tagOf = ({ meta }: Pick<Stored<User>, 'meta'>, choice: Choice): string =>
  entityTag(meta.version, choice);

/** @throws DomainError `damaged` */
export const resourceOf = (service: ScimService, stored: Stored<User>, choice: Choice) =>
  stored.read(() =>
    toResource(
      stored.value,
      (id) => locationOf(service, id),
      () => tagOf(stored, choice),
    ),
  );

/** The precondition of a write, evaluated when the write happens. @throws HttpProblem 400, 428 */
export function lockOf(headers: IncomingHttpHeaders, service: ScimService): Precondition | undefined {
  if (service.requireIfMatch) requireIfMatch(headers);
  return preconditionOfWrite(headers);
}
