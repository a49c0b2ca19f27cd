/** The ports of the use cases, except the stores (store.ts), with the promises that every adapter keeps, failures included. */

import type { Person } from './changes/change.ts';
import type { Access } from './find/access.ts';
import type { Viewer } from './resource/resource.ts';
import type { Grant } from './scopes.ts';
import type { Store } from './store.ts';

/** The authenticated client of a request. */
export interface Principal extends Grant, Viewer {
  /** The client's name: an API key's id, or a claim of the token. Fit for a log. */
  readonly id: string;
  /** The person on whose behalf the client acts, if the credentials name one. */
  readonly person?: Person | undefined;
  /** When the credentials expire, if they do: in ms since 1970. */
  readonly expires?: number | undefined;
  /** Left out: the whole directory, as far as the scopes go. */
  readonly access?: Access | undefined;
  /** The name of the access profile that the credentials have, from which `access` is made. */
  readonly profile?: string | undefined;
}

/** The store as the principal sees it: what is outside of its access profile is missing (access/limited-store.ts). */
export type StoreFor = (principal: Pick<Principal, 'access'>) => Store;

/** A principal that may write: what a commit records about its author. */
export interface Caller extends Principal {
  /** The API, such as `users` or `scim`; or `import`, `copy`, `command`. */
  readonly via: string;
  /** The id of the request, for a caller over HTTP. */
  readonly request?: string | undefined;
  /** Called with the id of each resource that a write of this caller has changed. */
  readonly onChanged?: ((id: string) => void) | undefined;
}

/** Authenticates a request from its own credentials, without server-side sessions. The contract suite is test/contract/authenticator.ts. */
export interface Authenticator {
  /** Its authentication scheme (RFC 9110 §11.1), spelt as in the challenge. */
  readonly scheme: 'Bearer' | 'Basic';
  /**
   * Returns a promise only if keys have to be fetched first; otherwise it returns or throws at once.
   * @param credentials what follows the scheme's name
   * @throws DomainError `unauthenticated`, with a message for the client, or `unavailable` if there is no usable key to check with
   */
  authenticate(credentials: string): Principal | Promise<Principal>;
  close(): Promise<void>;
}

export interface Clock {
  now(): Date;
}

/** Values that no process has used before. */
export interface Ids {
  /** A UUIDv7 (RFC 9562 §5.7): later ids sort later. */
  id(): string;
  /** An opaque random token of fixed length: it doesn't recur after a restore or a rollback either. */
  version(): string;
}
