/** API keys over HTTP Basic (RFC 7617), for clients that can't do OAuth: key id and secret. */
import { isUtf8 } from 'node:buffer';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../domain/errors.ts';
import type { Authenticator, Clock, Principal } from '../../domain/ports.ts';
import { scopesOf } from '../../domain/scopes.ts';
import { watchedFile } from '../watched-file.ts';
import { type ApiKey, hashOf, parseKeyFile } from './key-file.ts';

export interface ApiKeyOptions {
  /**
   * As `addKey` writes it, for its owner alone. Read again when it changes: a key taken out is refused at the next request. While it
   * is gone or damaged, credentials are refused as `unavailable` once the last good version is too old.
   */
  readonly file: string;
  /** How long that version is used, in seconds. */
  readonly maxStaleSeconds: number;
  /** Told what is wrong with a later version of the file; fit for a log. */
  readonly onProblem: (message: string) => void;
}

/** What a key gives, worked out when the file is read. */
interface Grant extends Pick<ApiKey, 'hash' | 'expires'> {
  readonly principal: Principal;
}

const refuse = (message: string): DomainError => new DomainError('unauthenticated', message);

const grantOf = ({ hash, expires, scopes }: Omit<ApiKey, 'id'>): Grant => ({
  hash,
  expires,
  principal: { scopes: scopesOf(scopes) },
});

/** What an unknown id is compared with, so that it takes as long as a known one. */
const decoys: readonly Grant[] = [grantOf({ hash: randomBytes(32), scopes: [] })];

/** @throws Error naming the file when it can't be read or isn't valid */
export function apiKeyAuthenticator(options: ApiKeyOptions, clock: Clock): Authenticator {
  const keys = watchedFile({ ...options, parse: (text) => byId(parseKeyFile(text)), isPrivate: true });
  return {
    scheme: 'Basic',
    authenticate: (credentials) => {
      const { id, secret } = decode(credentials);
      const grantsById = keys.current();
      if (grantsById === undefined) throw new DomainError('unavailable', 'The API keys are out of reach.');
      const hash = hashOf(secret);
      // All of them, whichever matches: how long it takes says nothing.
      const matches = (grantsById.get(id) ?? decoys).filter((grant) => timingSafeEqual(grant.hash, hash));
      if (matches.length === 0) throw refuse('The API key is wrong.');
      const now = clock.now();
      const valid = matches.find(({ expires }) => expires === undefined || now < expires);
      if (valid === undefined) throw refuse('The API key has expired.');
      return valid.principal;
    },
    close: async () => keys.close(),
  };
}

function byId(keys: readonly ApiKey[]): Map<string, Grant[]> {
  const groups = new Map<string, Grant[]>();
  for (const key of keys) groups.set(key.id, [...(groups.get(key.id) ?? []), grantOf(key)]);
  return groups;
}

/** Strict base64 of strict UTF-8 `id:secret`. */
function decode(credentials: string): { id: string; secret: string } {
  const bytes = Buffer.from(credentials, 'base64');
  const text = bytes.toString('utf8');
  const colon = text.indexOf(':');
  // The decoder overlooks what isn't base64.
  if (colon < 1 || bytes.toString('base64') !== credentials || !isUtf8(bytes)) {
    throw refuse('The API key is malformed.');
  }
  return { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}
