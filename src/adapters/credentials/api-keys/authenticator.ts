/** API keys over HTTP Basic (RFC 7617), for clients that can't do OAuth: key id and secret. */
import { isUtf8 } from 'node:buffer';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../../domain/errors.ts';
import type { Authenticator, Clock, Principal } from '../../../domain/ports.ts';
import { scopesOf } from '../../../domain/scopes.ts';
import { watchFile } from '../watched-file.ts';
import { type ApiKey, hashOf, parseKeyFile } from './key-file.ts';

export interface ApiKeyOptions {
  /**
   * As `addKey` writes it, for its owner alone. Read again when it changes: a removed key is refused from the next request on. When
   * the file is gone or damaged, and its last good version too old, authenticating throws `unavailable`.
   */
  readonly file: string;
  /** How long the last good version stays in use, in seconds. */
  readonly maxStaleSeconds: number;
  /** Called for problems with later versions of the file. Messages are fit for a log. */
  readonly onProblem: (message: string) => void;
}

/** Prepared when the file is read. */
interface Grant extends Pick<ApiKey, 'hash' | 'expires'> {
  readonly principal: Principal;
}

const invalidKey = (message: string): DomainError => new DomainError('unauthenticated', message);

const toGrant = ({ id, hash, expires, scopes }: ApiKey): Grant => ({
  hash,
  expires,
  principal: { id, scopes: scopesOf(scopes) },
});

/** Compared with for an unknown id, so that it takes as long as a known one. */
const decoys: readonly Grant[] = [toGrant({ id: '', hash: randomBytes(32), scopes: [] })];

/** @throws Error naming the file when it can't be read or isn't valid */
export function apiKeyAuthenticator(options: ApiKeyOptions, clock: Clock): Authenticator {
  const keys = watchFile({ ...options, parse: (text) => groupById(parseKeyFile(text)), isPrivate: true });
  return {
    scheme: 'Basic',
    authenticate: (credentials) => {
      const { id, secret } = decodeCredentials(credentials);
      const grantsById = keys.current();
      if (grantsById === undefined) throw new DomainError('unavailable', 'The API keys are out of reach.');
      const hash = hashOf(secret);
      // Compares all, so that the time says nothing about which one matches.
      const matches = (grantsById.get(id) ?? decoys).filter((grant) => timingSafeEqual(grant.hash, hash));
      if (matches.length === 0) throw invalidKey('The API key is wrong.');
      const now = clock.now();
      const valid = matches.find(({ expires }) => expires === undefined || now < expires);
      if (valid === undefined) throw invalidKey('The API key has expired.');
      return valid.principal;
    },
    close: async () => keys.close(),
  };
}

function groupById(keys: readonly ApiKey[]): Map<string, Grant[]> {
  const groups = new Map<string, Grant[]>();
  for (const key of keys) groups.set(key.id, [...(groups.get(key.id) ?? []), toGrant(key)]);
  return groups;
}

/** Strict base64 of strict UTF-8 `id:secret`. */
function decodeCredentials(credentials: string): { id: string; secret: string } {
  const bytes = Buffer.from(credentials, 'base64');
  const text = bytes.toString('utf8');
  const colon = text.indexOf(':');
  // Node's decoder ignores characters that aren't base64.
  if (colon < 1 || bytes.toString('base64') !== credentials || !isUtf8(bytes)) {
    throw invalidKey('The API key is malformed.');
  }
  return { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}
