/** Authentication on every request (RFC 9110 §11, RFC 6750, RFC 7617), and the challenges that go with a refusal. */
import { DomainError } from '../../domain/errors.ts';
import type { Authenticator, Principal } from '../../domain/ports.ts';
import type { Context } from './context.ts';
import { HttpProblem } from './problems.ts';
import { timesSent } from './request-head.ts';

const quoted = (text: string): string => `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, "'")}"`;

export interface Authentication {
  /**
   * At once, unless an authenticator has to fetch its keys.
   * @throws DomainError, HttpProblem 400
   */
  principalOf(ctx: Context): Principal | Promise<Principal>;
  /** What goes with a refusal: a challenge for each scheme that would do. Undefined for what isn't the credentials' fault. */
  challenges(error: unknown, ctx: Context): readonly string[] | undefined;
}

export interface AuthenticationParts {
  readonly authenticators: readonly Authenticator[];
  /** What the credentials are good for, as challenges call it (RFC 9110 §11.5). */
  readonly realm: string;
  /** By scheme in lower case: what whoever has credentials of a kind that could be taken, and isn't, is told. */
  readonly notTaken: ReadonlyMap<string, string>;
}

export function authentication({ authenticators, realm, notTaken }: AuthenticationParts): Authentication {
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
        scheme === 'Bearer'
          ? `Bearer realm=${quoted(realm)}${bearer}`
          : `Basic realm=${quoted(realm)}, charset="UTF-8"`,
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
