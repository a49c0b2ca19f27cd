/** The scheme Bearer (RFC 6750): credentials of several kinds come under its one name, and are told apart by their shape. */
import { unauthenticated } from '../../domain/base/errors.ts';
import type { Authenticator, Principal } from '../../domain/ports.ts';

/** One kind of them: a signed token, an API key. */
export interface BearerKind {
  /** As a refusal calls it, such as `token`. Left out by a kind that takes nothing. */
  readonly name?: string;
  /**
   * Undefined for what isn't of this kind, by its shape alone: then the next kind is asked. What it does return or throw is the answer.
   * @throws DomainError as `Authenticator.authenticate` does
   */
  authenticate(credentials: string): Principal | Promise<Principal> | undefined;
  /** A line for an operator: by how many keys it tells. Left out by a kind that takes nothing. @throws Error when there is none that can be used */
  inspect?(): Promise<string>;
  close(): Promise<void>;
}

/** A kind that isn't set up here: refuses what has its shape with a word of that. @param message fit for the client */
export const missingKind = (hasItsShape: (credentials: string) => boolean, message: string): BearerKind => ({
  authenticate: (credentials) => {
    if (hasItsShape(credentials)) throw unauthenticated('credentials-not-taken', message);
    return undefined;
  },
  close: async () => undefined,
});

/** The first kind whose shape the credentials have judges them: put the strictest shape first. */
export function bearerAuthenticator(...kinds: readonly BearerKind[]): Authenticator {
  const names = kinds.flatMap(({ name }) => name ?? []).join(' or ');
  return {
    scheme: 'Bearer',
    authenticate: (credentials) => {
      for (const kind of kinds) {
        const principal = kind.authenticate(credentials);
        if (principal !== undefined) return principal;
      }
      throw unauthenticated('credentials-malformed', `The ${names} is malformed.`);
    },
    close: async () => void (await Promise.all(kinds.map((kind) => kind.close()))),
  };
}
