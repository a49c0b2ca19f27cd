/**
 * API keys, for clients without OAuth: id and secret over HTTP Basic (RFC 7617), or `id.secret` over Bearer (RFC 6750) for clients with a
 * single long-lived secret, such as identity providers.
 *
 * `key-file.ts` reads the file of hashed keys, which `change-keys.ts` changes for the command `api-key`.
 */
import { isUtf8 } from 'node:buffer';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Authenticator, Clock, Principal } from '../../../domain/ports.ts';
import { scopesOf } from '../../../domain/scopes.ts';
import { DomainError, unauthenticated } from '../../../domain/validation/errors.ts';
import type { BearerKind } from '../bearer.ts';
import { type WatchOptions, watchFile } from '../watched-file.ts';
import { type ApiKey, hashOf, isKeyId, parseKeyFile } from './key-file.ts';

interface ApiKeyOptions extends Pick<WatchOptions<object>, 'maxStaleSeconds' | 'onProblem' | 'onKeys'> {
  /**
   * The file, as `addKey` writes it: only its owner may read it. It is read again when it changes: a removed key is refused from the next request on.
   * If the file is missing or damaged and its last good version is too old, authenticating throws `unavailable`.
   */
  readonly file: string;
}

/** Prepared when the file is read. */
interface Grant extends Pick<ApiKey, 'hash' | 'expires'> {
  readonly principal: Principal;
}

const toGrant = ({ hash, expires, scopes, ...key }: ApiKey): Grant => ({
  hash,
  expires,
  principal: { ...key, scopes: scopesOf(scopes), expires: expires?.getTime() },
});

/** Compared for unknown ids, so that they take as long as known ones. */
const decoys: readonly Grant[] = [toGrant({ id: '', hash: randomBytes(32), scopes: [] })];

/** One set of keys for both schemes. Closing either authenticator closes the file. */
export interface ApiKeys {
  readonly basic: Authenticator;
  /** Accepts any credentials with a dot after an id, so tokens must be recognized first. */
  readonly bearer: BearerKind;
}

/** @throws Error naming the file when it can't be read or isn't valid */
export function apiKeys(options: ApiKeyOptions, clock: Clock): ApiKeys {
  const keys = watchFile({ ...options, parse: (text) => groupById(parseKeyFile(text)), isPrivate: true });
  const close = async () => keys.close();
  function authenticate({ id, secret }: IdAndSecret): Principal {
    const grantsById = keys.current();
    if (grantsById === undefined) throw new DomainError('unavailable', 'The API keys are out of reach.');
    const hash = hashOf(secret);
    // Compares all, so that the time doesn't reveal which one matches.
    const matches = (grantsById.get(id) ?? decoys).filter((grant) => timingSafeEqual(grant.hash, hash));
    if (matches.length === 0) throw unauthenticated('key-wrong', 'The API key is wrong.');
    const now = clock.now();
    const valid = matches.find(({ expires }) => expires === undefined || now < expires);
    if (valid === undefined) throw unauthenticated('key-expired', 'The API key has expired.');
    return valid.principal;
  }
  return {
    basic: { scheme: 'Basic', authenticate: (credentials) => authenticate(parseBasic(credentials)), close },
    bearer: {
      form: 'an API key (<id>.<secret>, the second line of the command api-key)',
      authenticate: (credentials) => {
        if (isBasicLine(credentials))
          throw unauthenticated(
            'credentials-malformed',
            'This is the line of an API key for Basic. For Bearer, send the second line of the command api-key: <id>.<secret>.',
          );
        const key = parseBearer(credentials);
        return key && authenticate(key);
      },
      inspect: async () => countKeys([...(keys.current()?.values() ?? [])].flat(), clock.now()),
      close,
    },
  };
}

function countKeys(grants: readonly Grant[], now: Date): string {
  const expired = grants.filter(({ expires }) => expires !== undefined && expires <= now).length;
  const counts = `API keys: ${grants.length}${expired > 0 ? `, ${expired} of them expired` : ''}`;
  if (grants.length === expired) throw new Error(`${counts}; user-management api-key makes one`);
  return counts;
}

const groupById = (keys: readonly ApiKey[]): Map<string, Grant[]> =>
  Map.groupBy(keys.map(toGrant), ({ principal }) => principal.id);

interface IdAndSecret {
  readonly id: string;
  readonly secret: string;
}

/** Strict base64 of strict UTF-8 `id:secret`. */
function parseBasic(credentials: string): IdAndSecret {
  const bytes = Buffer.from(credentials, 'base64');
  const text = bytes.toString('utf8');
  const colon = text.indexOf(':');
  // Node's decoder ignores characters that aren't base64.
  if (colon < 1 || bytes.toString('base64') !== credentials || !isUtf8(bytes))
    throw unauthenticated(
      'credentials-malformed',
      'Basic takes <id>:<secret>, the first line of the command api-key, in UTF-8 and base64. This is something else.',
    );
  return { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/** `id.secret`. The last dot separates them: an id may have dots, a secret of `addKey` has none. Undefined without a dot after a possible id. */
function parseBearer(credentials: string): IdAndSecret | undefined {
  const text = decodeField(credentials) ?? '';
  const dot = text.lastIndexOf('.');
  const id = text.slice(0, Math.max(0, dot));
  return isKeyId(id) ? { id, secret: text.slice(dot + 1) } : undefined;
}

/** The first line of the command api-key, whose secrets have 43 characters. */
const isBasicLine = (credentials: string): boolean => /^[^:]+:[A-Za-z0-9_-]{43}$/.test(credentials);

/** Whether `addKey` could have made it: bearer credentials may also be a damaged token. */
export const isKeyShaped = (credentials: string): boolean =>
  isBasicLine(credentials) || /^[A-Za-z0-9_-]{43}$/.test(parseBearer(credentials)?.secret ?? '');

/** Node gives each byte of a header field as a character. An id that isn't ASCII comes in UTF-8; undefined for anything else. */
function decodeField(value: string): string | undefined {
  const bytes = Buffer.from(value, 'latin1');
  return bytes.toString('latin1') === value && isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}
