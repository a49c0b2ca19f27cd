/** API keys over HTTP Basic (RFC 7617), for clients that can't do OAuth: key id and secret. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../domain/errors.ts';
import type { Authenticator, Clock } from '../../domain/ports.ts';
import { scopesOf } from '../../domain/scopes.ts';
import { watchedFile } from '../watched-file.ts';
import { type ApiKey, hashOf, parseKeyFile } from './key-file.ts';

export interface ApiKeyOptions {
  /** As `addKey` writes it. Read again when it changes: a key taken out is refused at the next request. */
  readonly file: string;
  /** Told once when a later version of the file is broken; the keys of the last good one stay valid. */
  readonly onProblem: (message: string) => void;
}

const refuse = (message: string): DomainError => new DomainError('unauthenticated', message);

/** What an unknown id is compared with, so that it takes as long as a known one. */
const decoys: readonly ApiKey[] = [{ id: '', hash: randomBytes(32), scopes: [] }];

/** @throws Error naming the file when it can't be read or isn't valid */
export function apiKeyAuthenticator({ file, onProblem }: ApiKeyOptions, clock: Clock): Authenticator {
  const keysById = watchedFile(file, (text) => byId(parseKeyFile(text)), onProblem);
  return {
    scheme: 'Basic',
    authenticate: async (credentials) => {
      const { id, secret } = decode(credentials);
      const hash = hashOf(secret);
      // All of them, whichever matches: how long it takes says nothing.
      const matches = (keysById().get(id) ?? decoys).filter((key) => timingSafeEqual(key.hash, hash));
      if (matches.length === 0) throw refuse('The API key is wrong.');
      const now = clock.now();
      const valid = matches.find(({ expires }) => expires === undefined || now < expires);
      if (valid === undefined) throw refuse('The API key has expired.');
      return { scopes: scopesOf(valid.scopes) };
    },
    close: async () => undefined,
  };
}

function byId(keys: readonly ApiKey[]): Map<string, ApiKey[]> {
  const groups = new Map<string, ApiKey[]>();
  for (const key of keys) groups.set(key.id, [...(groups.get(key.id) ?? []), key]);
  return groups;
}

/** Strict base64 of strict UTF-8 `id:secret`. */
function decode(credentials: string): { id: string; secret: string } {
  const bytes = Buffer.from(credentials, 'base64');
  const text = bytes.toString('utf8');
  const exact = bytes.toString('base64') === credentials && Buffer.from(text, 'utf8').equals(bytes);
  const colon = text.indexOf(':');
  if (!exact || colon < 1) throw refuse('The API key is malformed.');
  return { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}
