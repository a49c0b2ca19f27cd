import { bearerAuthenticator } from '../../../../src/adapters/credentials/bearer.ts';
import { type JwtOptions, jwtTokens } from '../../../../src/adapters/credentials/jwt/authenticator.ts';
import type { Authenticator, Principal } from '../../../../src/domain/ports.ts';
import type { DomainError } from '../../../../src/domain/validation/errors.ts';
import { refusal } from '../../../contract/authenticator.ts';
import { deadline } from '../../../support/deadlines.ts';
import { Issuer } from './issuer.ts';
import { clock, type IssuerKey, issuerKey, sign, usual } from './tokens.ts';

export const maxAgeSeconds = 600;
const systemNow = Date.now;

/** Whoever trusts an issuer's key set, which has one key, and what the issuer signed with it. */
export interface KeySetAtUrl {
  readonly issuer: Issuer;
  readonly key: IssuerKey;
  readonly token: string;
  /** What was told to the operator. */
  readonly problems: readonly string[];
  authenticator: Authenticator;
  /** Another one; `timeout` is for a fetch, in ms. */
  open(timeout?: number): Authenticator;
  /** So much time, for fetching: it stands still otherwise. */
  passes(seconds: number): void;
  accepted(credentials: string): Promise<Principal>;
  refused(credentials: string): Promise<DomainError>;
  /** One request that finds the set aging, and another that waits, for want of its key, for the fetch it started. */
  renewed(): Promise<void>;
  close(): Promise<void>;
}

export async function keySetAtUrl(): Promise<KeySetAtUrl> {
  const fixed = systemNow();
  Date.now = () => fixed;
  const issuer = new Issuer();
  const jwksUrl = await issuer.start();
  const key = await issuerKey('one');
  const token = await sign(key);
  issuer.keys = [key];
  const problems: string[] = [];
  const open = (timeout = deadline) => {
    const keys: JwtOptions['keys'] = { jwksUrl, maxAgeSeconds, timeout };
    return bearerAuthenticator(
      jwtTokens({ ...usual, keys, onProblem: (message) => problems.push(message) }, clock),
    );
  };
  const at: KeySetAtUrl = {
    issuer,
    key,
    token,
    problems,
    open,
    authenticator: open(),
    passes(seconds) {
      const later = Date.now() + seconds * 1_000;
      Date.now = () => later;
    },
    accepted: async (credentials) => at.authenticator.authenticate(credentials),
    refused: (credentials) => refusal(at.authenticator, credentials),
    async renewed() {
      const unknown = await sign({ ...key, kid: 'unknown' });
      await Promise.all([at.accepted(token), at.refused(unknown)]);
    },
    async close() {
      Date.now = systemNow;
      await at.authenticator.close();
      await issuer.stop();
    },
  };
  return at;
}
