/** Authentication on every request (RFC 9110 §11, RFC 6750, RFC 7617), and the challenges that go with a refusal. */
import { DomainError } from '../../domain/errors.ts';
import type { Authenticator } from '../../domain/ports.ts';
import type { Context, Next } from './context.ts';
import { HttpProblem } from './problems.ts';

const realm = 'realm="users"';
const credentials = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?: +(.*))?$/;

const quoted = (text: string): string => `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, "'")}"`;

/** The header has one value: two say that somebody on the way sees other credentials than we do. */
function single(ctx: Context, name: string): void {
  const names = ctx.req.rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((candidate) => candidate.toLowerCase() === name).length > 1)
    throw new HttpProblem('invalid-header', `The request has more than one ${name} field.`);
}

/** Sets `state.principal`, or refuses with 401 and a challenge for each scheme that would do. */
export function authenticate(authenticators: readonly Authenticator[]) {
  const challenges = (bearerError: string) =>
    authenticators.map(({ scheme }) =>
      scheme === 'Bearer' ? `Bearer ${realm}${bearerError}` : `Basic ${realm}, charset="UTF-8"`,
    );

  async function principalOf(ctx: Context) {
    const [, scheme, value = ''] = credentials.exec(ctx.get('Authorization')) ?? [];
    const authenticator = authenticators.find(
      (candidate) => candidate.scheme.toLowerCase() === scheme?.toLowerCase(),
    );
    if (authenticator !== undefined) return authenticator.authenticate(value);
    const names = authenticators.map((candidate) => candidate.scheme).join(' or ');
    throw new DomainError('unauthenticated', `Send an Authorization header with ${names} credentials.`);
  }

  return async (ctx: Context, next: Next): Promise<void> => {
    single(ctx, 'host');
    single(ctx, 'authorization');
    try {
      ctx.state.principal = await principalOf(ctx);
      await next();
    } catch (error) {
      const bearer =
        error instanceof DomainError ? bearerError(error, ctx.get('Authorization') !== '') : undefined;
      if (bearer !== undefined) ctx.set('WWW-Authenticate', challenges(bearer));
      throw error;
    }
  };
}

/** The Bearer challenge's error (RFC 6750 §3.1); without credentials it has none, with another error there's no challenge. */
function bearerError(error: DomainError, hadCredentials: boolean): string | undefined {
  if (error.code === 'insufficient-scope') return `, error="insufficient_scope", scope="${error.scope}"`;
  if (error.code !== 'unauthenticated') return undefined;
  return hadCredentials ? `, error="invalid_token", error_description=${quoted(error.message)}` : '';
}
