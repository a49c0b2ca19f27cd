/** Authentication on every request (RFC 9110 §11, RFC 6750, RFC 7617), and the challenges that go with a refusal. */
import { DomainError } from '../../domain/errors.ts';
import type { Authenticator, Principal } from '../../domain/ports.ts';
import type { Context } from './context.ts';
import { HttpProblem } from './problems.ts';
import { timesSent } from './request-head.ts';

const realm = 'realm="users"';

const quoted = (text: string): string => `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, "'")}"`;

/** Whoever has credentials of a kind that could be taken, and isn't, is told what the service would have to be set to. */
const notTaken: ReadonlyMap<string, string> = new Map([
  ['basic', 'This service takes no API keys: USERS_API_KEYS_FILE is not set where it runs.'],
  [
    'bearer',
    'This service takes no tokens: no USERS_JWT_KEY_SET_URL, _FILE or USERS_JWT_SECRET is set where it runs.',
  ],
]);

export interface Authentication {
  /**
   * At once, unless an authenticator has to fetch its keys.
   * @throws DomainError, HttpProblem 400
   */
  principalOf(ctx: Context): Principal | Promise<Principal>;
  /** What goes with a refusal: a challenge for each scheme that would do. Undefined for what isn't the credentials' fault. */
  challenges(error: unknown, ctx: Context): readonly string[] | undefined;
}

export function authentication(authenticators: readonly Authenticator[]): Authentication {
  const byScheme = new Map(authenticators.map((one) => [one.scheme.toLowerCase(), one] as const));
  const schemes = authenticators.map(({ scheme }) => scheme).join(' or ');
  return {
    /** Scheme, spaces, credentials (RFC 9110 §11.4). */
    principalOf(ctx) {
      if (timesSent(ctx, 'authorization') > 1)
        throw new HttpProblem('invalid-header', 'The request has more than one Authorization field.');
      const header = ctx.req.headers.authorization ?? '';
      const space = header.indexOf(' ');
      const end = space === -1 ? header.length : space;
      const authenticator = byScheme.get(header.slice(0, end).toLowerCase());
      let start = end;
      while (header[start] === ' ') start += 1;
      if (authenticator !== undefined) return authenticator.authenticate(header.slice(start));
      const unset = notTaken.get(header.slice(0, end).toLowerCase());
      throw new DomainError(
        'unauthenticated',
        `${unset === undefined ? '' : `${unset} `}Send an Authorization header with ${schemes} credentials.`,
      );
    },
    challenges(error, ctx) {
      const bearer =
        error instanceof DomainError ? bearerError(error, ctx.req.headers.authorization ?? '') : undefined;
      if (bearer === undefined) return undefined;
      return authenticators.map(({ scheme }) =>
        scheme === 'Bearer' ? `Bearer ${realm}${bearer}` : `Basic ${realm}, charset="UTF-8"`,
      );
    },
  };
}

/** The Bearer challenge's error (RFC 6750 §3.1): of a token alone, and with another error there's no challenge. */
function bearerError(error: DomainError, credentials: string): string | undefined {
  if (error.code !== 'unauthenticated' && error.code !== 'insufficient-scope') return undefined;
  if (!/^Bearer(?: |$)/i.test(credentials)) return '';
  if (error.code === 'insufficient-scope') return `, error="insufficient_scope", scope="${error.scope}"`;
  return `, error="invalid_token", error_description=${quoted(error.message)}`;
}
