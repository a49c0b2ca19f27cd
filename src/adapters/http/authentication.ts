/** Authentication of every request (RFC 9110 §11, RFC 6750, RFC 7617), and the challenges of a refusal. */

import type { Authenticator, Caller, Principal } from '../../domain/ports.ts';
import { DomainError, type DomainErrorCode, unauthenticated } from '../../domain/validation/errors.ts';
import type { Authenticate, Context } from './pipeline/context.ts';
import { HttpProblem } from './problems/problems.ts';
import { countFields } from './request-head.ts';

/** A quote-string (RFC 9110 §5.6.4) of printable ASCII: other characters would need an encoding that no reader expects. */
const quote = (text: string): string => `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, "'")}"`;

interface Authentication {
  /**
   * Sets the principal, unless the path is open; synchronously, unless an authenticator has to fetch its keys.
   * @throws DomainError `unauthenticated`, `profile-refused`, `unavailable`; HttpProblem 400
   */
  readonly authenticate: Authenticate;
  /** One for each accepted scheme (RFC 9110 §11.6.1). Undefined for an error that isn't the credentials' fault. */
  challengesFor(error: unknown, ctx: Context): readonly string[] | undefined;
}

export type ContractOf = (principal: Principal) => string | undefined;

/** What the profile of the credentials allows; undefined: everything. @throws DomainError `profile-refused`, `unavailable` */
export type AccessOf = (principal: Principal) => Principal['access'];

export interface AuthenticationParts {
  /** One per scheme. */
  readonly authenticators: readonly Authenticator[];
  /** The protection space, as challenges name it (RFC 9110 §11.5). */
  readonly realm: string;
  /** By scheme in lower case: a hint for credentials of a kind that isn't configured. */
  readonly schemeHints: ReadonlyMap<string, string>;
  /** The version of the contract that the client is pinned to. Left out: the one that its credentials name. */
  readonly contractOf?: ContractOf;
  readonly accessOf: AccessOf;
}

function mapByScheme(authenticators: readonly Authenticator[]): ReadonlyMap<string, Authenticator> {
  const byScheme = new Map(authenticators.map((one) => [one.scheme.toLowerCase(), one] as const));
  if (byScheme.size < authenticators.length)
    throw new Error('two authenticators have one scheme: one of them would never be asked');
  return byScheme;
}

type Rules = Required<Pick<AuthenticationParts, 'contractOf' | 'accessOf'>>;

const callerOf = ({ state }: Context, principal: Principal, { contractOf, accessOf }: Rules): Caller => ({
  ...principal,
  access: accessOf(principal),
  contract: state.mounted.isUnpinned ? undefined : contractOf(principal),
  via: state.mounted.name,
  request: state.requestId,
  onChanged: (id) => {
    state.resources ??= [];
    state.resources.push(id);
  },
});

/** @throws Error when two authenticators have one scheme */
export function authentication({
  authenticators,
  realm,
  schemeHints,
  contractOf = ({ contract }) => contract,
  accessOf,
}: AuthenticationParts): Authentication {
  const rules = { contractOf, accessOf };
  const byScheme = mapByScheme(authenticators);
  const schemes = authenticators.map(({ scheme }) => scheme).join(' or ');

  /** Authorization is scheme, spaces, credentials (RFC 9110 §11.4). */
  function principalOf(ctx: Context): Principal | Promise<Principal> {
    if (countFields(ctx, 'authorization') > 1)
      throw new HttpProblem('invalid-header', 'The request has more than one Authorization field.');
    const header = ctx.req.headers.authorization ?? '';
    const space = header.indexOf(' ');
    const end = space === -1 ? header.length : space;
    const authenticator = byScheme.get(header.slice(0, end).toLowerCase());
    let start = end;
    while (header[start] === ' ') start += 1;
    if (authenticator !== undefined) return authenticator.authenticate(header.slice(start));
    const hint = schemeHints.get(header.slice(0, end).toLowerCase());
    throw unauthenticated(
      header === '' ? 'credentials-missing' : 'credentials-not-taken',
      `${hint === undefined ? '' : `${hint} `}Send an Authorization header with ${schemes} credentials.`,
    );
  }

  function identify(ctx: Context): Promise<void> | undefined {
    const principal = principalOf(ctx);
    if (!(principal instanceof Promise)) {
      ctx.state.principal = callerOf(ctx, principal, rules);
      return undefined;
    }
    return principal.then((proved) => {
      ctx.state.principal = callerOf(ctx, proved, rules);
    });
  }

  return {
    authenticate(ctx) {
      ctx.state.authenticate = identify;
      return ctx.state.mounted.isOpen(ctx.path) ? undefined : identify(ctx);
    },
    challengesFor(error, ctx) {
      const bearer =
        error instanceof DomainError ? bearerParams(error, ctx.req.headers.authorization ?? '') : undefined;
      if (bearer === undefined) return undefined;
      return authenticators.map(({ scheme }) =>
        scheme === 'Bearer'
          ? `Bearer realm=${quote(realm)}${bearer}`
          : `Basic realm=${quote(realm)}, charset="UTF-8"`,
      );
    },
  };
}

/** "The request requires higher privileges than provided by the access token" (RFC 6750 §3.1): no other scope helps, but another profile does. */
const insufficient: ReadonlySet<DomainErrorCode> = new Set<DomainErrorCode>([
  ...(['insufficient-scope', 'profile-refused', 'attribute-hidden'] as const),
  ...(['attribute-read-only', 'outside-of-profile'] as const),
]);

/** The parameters that a Bearer challenge adds for a token that was sent (RFC 6750 §3.1). Undefined: no challenge for this error. */
function bearerParams(error: DomainError, credentials: string): string | undefined {
  if (error.code !== 'unauthenticated' && !insufficient.has(error.code)) return undefined;
  if (!/^Bearer(?: |$)/i.test(credentials)) return '';
  if (error.code === 'insufficient-scope') return `, error="insufficient_scope", scope="${error.scope}"`;
  if (insufficient.has(error.code)) return ', error="insufficient_scope"';
  return `, error="invalid_token", error_description=${quote(error.message)}`;
}
