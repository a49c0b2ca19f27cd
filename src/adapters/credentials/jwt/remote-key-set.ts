/** The key set at an issuer's URL: renewed before it expires, never used afterwards, never fetched at a client's rate. */
import {
  createRemoteJWKSet,
  customFetch,
  type FetchImplementation,
  type JWKSCacheInput,
  jwksCache,
} from 'jose';
import { messageOf } from '../../system/errors.ts';
import type { OnKeyEvent } from '../bearer.ts';
import {
  findKeys,
  type KeySet,
  keysUnavailable,
  readSigningKeys,
  type SigningKey,
  type SigningKeys,
} from './key-set.ts';

export interface RemoteKeySetOptions {
  readonly jwksUrl: URL;
  /** A key withdrawn at the issuer stops working within this time. After half of it the set is fetched again in the background. */
  readonly maxAgeSeconds: number;
  /** In ms: for one fetch with its body. */
  readonly timeout: number;
  /**
   * Called when a fetch fails, once until one succeeds; for unusable keys in the set, once until they change; and for a set without usable
   * keys.
   */
  readonly onProblem: (message: string) => void;
  /** Called after each fetch. */
  readonly onKeys?: OnKeyEvent | undefined;
}

/** Far above the key sets of the large providers (about 20 KiB). */
const maxBytes = 256 * 1024;
/** How many unusable keys a message names. */
const maxFaults = 5;
/** The least time between fetches for unknown `kid`s, which anyone can make up, and for an aging set. */
const cooldownMs = 10_000;
/** The least time between failed fetches, while every request needs the set. */
const retryMs = 1_000;

/** True at most once in `ms`. Compares the absolute difference, so that setting the clock back doesn't prolong the wait. */
function createThrottle(ms: number): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = Date.now();
    if (Math.abs(now - last) < ms) return false;
    last = now;
    return true;
  };
}

/** A `fetch` that `closing` aborts. Throws for a status other than 200, and as soon as the body exceeds the limit. */
function boundedFetch(closing: AbortSignal): FetchImplementation {
  return async (url, options) => {
    const response = await fetch(url, { ...options, signal: AbortSignal.any([options.signal, closing]) });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`it answered with status ${response.status}`);
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    return new Response(Buffer.concat(chunks));
  };
}

/** Fetches nothing before the first token. Measures the set's age by the system's clock. */
export function remoteKeySet(options: RemoteKeySetOptions): KeySet {
  const maxAge = options.maxAgeSeconds * 1_000;
  const closing = new AbortController();
  // jose puts a set here once it has fetched and checked it.
  const cache = {} as JWKSCacheInput;
  const remote = createRemoteJWKSet(options.jwksUrl, {
    cacheMaxAge: maxAge,
    timeoutDuration: options.timeout,
    [customFetch]: boundedFetch(closing.signal),
    [jwksCache]: cache,
  });
  const allow = {
    unknownKey: createThrottle(cooldownMs),
    aging: createThrottle(Math.min(cooldownMs, maxAge / 4)),
    missing: createThrottle(retryMs),
  };
  let keys: SigningKeys = new Map();
  let keysFrom: unknown;
  let failure: unknown;
  let reportedFaults = '';

  /** Joins a pending fetch, or starts one if allowed. False if there was none or it failed. Never throws. */
  async function renew(allowed: () => boolean): Promise<boolean> {
    const isBegun = remote.reloading;
    if (!isBegun && !allowed()) return false;
    try {
      await remote.reload();
      failure = undefined;
      if (!isBegun) options.onKeys?.('fetched');
      return true;
    } catch (error) {
      if (failure === undefined && !closing.signal.aborted)
        options.onProblem(describeFailure(options.jwksUrl, error));
      failure = error;
      if (!isBegun) options.onKeys?.('failed');
      return false;
    }
  }

  /** Once until they change, since the set is fetched regularly. */
  function reportFaults(faults: readonly string[]): void {
    const few = faults.slice(0, maxFaults).join('; ');
    const more = faults.length > maxFaults ? `; and ${faults.length - maxFaults} more` : '';
    const unused = faults.length > 0 ? ` has keys that are not used: ${few}${more}` : '';
    // Without keys every token is refused, as if the token were at fault.
    const none = keys.size === 0 ? ' has no key to check tokens with' : '';
    const found = [none, unused].filter((part) => part !== '').join(', and');
    if (found !== '' && found !== reportedFaults)
      options.onProblem(`The key set at ${addressOf(options.jwksUrl)}${found}`);
    reportedFaults = found;
  }

  function findCached(alg: string, kid: unknown): readonly SigningKey[] {
    if (cache.jwks !== keysFrom) {
      const read = readSigningKeys(cache.jwks?.keys ?? []);
      keys = read.keys;
      keysFrom = cache.jwks;
      reportFaults(read.faults);
    }
    return findKeys(keys, alg, kid);
  }

  async function fetchAndFind(alg: string, kid: unknown): Promise<readonly SigningKey[]> {
    if (await renew(remote.fresh ? allow.unknownKey : allow.missing)) return findCached(alg, kid);
    if (remote.fresh) return [];
    throw keysUnavailable(failure);
  }

  return {
    find: (alg, kid) => {
      const found = remote.fresh ? findCached(alg, kid) : [];
      if (found.length === 0) return fetchAndFind(alg, kid);
      // In the background: this request uses the current set.
      if (Math.abs(Date.now() - (cache.uat ?? 0)) >= maxAge / 2) void renew(allow.aging);
      return found;
    },
    close: () => closing.abort(),
  };
}

/** The query may hold a secret. */
const addressOf = ({ origin, pathname }: URL): string => origin + pathname;

function describeFailure(url: URL, error: unknown): string {
  // The message of fetch is only "fetch failed"; the reason is its cause.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return `The key set at ${addressOf(url)} could not be fetched: ${messageOf(cause)}`;
}
