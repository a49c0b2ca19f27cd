/**
 * The scheme Bearer (RFC 6750): it carries several kinds of credentials, distinguished by their form.
 *
 * In: the credentials of a request. Out: its principal (domain/ports.ts), or a DomainError. `jwt/` and `api-keys/` are the two kinds, and
 * API keys come over Basic too. Both read their keys from files by `watched-file.ts`, which a first reading may skip.
 */
import type { Authenticator, Principal } from '../../domain/ports.ts';
import { unauthenticated } from '../../domain/validation/errors.ts';

/** A kind of credentials: signed tokens or API keys. */
export interface BearerKind {
  /** The name of its form in refusals, with an article. Left out by a kind that accepts nothing. */
  readonly form?: string;
  /**
   * Undefined for credentials of another form: then the next kind is tried. Any other result or error is final.
   * @throws DomainError as `Authenticator.authenticate` does
   */
  authenticate(credentials: string): Principal | Promise<Principal> | undefined;
  /** A line for an operator: the number of keys. Left out by a kind that accepts nothing. @throws Error without a usable key */
  inspect?(): Promise<string>;
  close(): Promise<void>;
}

/** A kind that isn't configured: refuses credentials of its form. @param message for the client */
export const missingKind = (hasItsShape: (credentials: string) => boolean, message: string): BearerKind => ({
  authenticate: (credentials) => {
    if (hasItsShape(credentials)) throw unauthenticated('credentials-not-taken', message);
    return undefined;
  },
  close: async () => undefined,
});

const repeatsScheme = (credentials: string): boolean => /^bearer\s/i.test(credentials);

/** The first kind with the form of the credentials decides: put the strictest form first. */
export function bearerAuthenticator(...kinds: readonly BearerKind[]): Authenticator {
  const forms = kinds.flatMap(({ form }) => form ?? []).join(' or ');
  return {
    scheme: 'Bearer',
    authenticate: (credentials) => {
      // Otherwise an API key whose id begins with it.
      for (const kind of repeatsScheme(credentials) ? [] : kinds) {
        const principal = kind.authenticate(credentials);
        if (principal !== undefined) return principal;
      }
      throw unauthenticated(
        'credentials-malformed',
        `This is not ${forms}. It may be cut off, have characters too many or the word Bearer twice, or be an opaque token.`,
      );
    },
    close: async () => void (await Promise.all(kinds.map((kind) => kind.close()))),
  };
}

/** `fetched`: new keys in use. `confirmed`: checked and unchanged. `failed`: unreachable or unusable. */
export type KeyEvent = 'fetched' | 'confirmed' | 'failed';

export type OnKeyEvent = (event: KeyEvent) => void;

/** The source of keys, or of access profiles. A service has at most one of the first two. */
export type KeyPlace = 'jwks-url' | 'jwks-file' | 'api-keys' | 'access-profiles';
