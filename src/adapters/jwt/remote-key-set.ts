/** The key set at an issuer's URL: fetched ahead of its end, never used beyond it, never fetched at a client's rate. */
import {
  createRemoteJWKSet,
  customFetch,
  type FetchImplementation,
  type JWKSCacheInput,
  jwksCache,
} from 'jose';
import { keysNamed, type SigningKey, type SigningKeys, signingKeys } from './json-web-keys.ts';
import { type KeySet, outOfReach } from './key-set.ts';

export interface RemoteKeySetOptions {
  readonly jwksUrl: URL;
  /** A key withdrawn at the issuer stops working within this time. Fetched anew, in the background, from half of it. */
  readonly maxAgeSeconds: number;
  /** Milliseconds that one fetch may take, its body included. */
  readonly timeout: number;
  /**
   * Told when a fetch fails, once until one succeeds; of keys in the set that can't be used, once until they change; and of a set
   * without any that can.
   */
  readonly onProblem: (message: string) => void;
}

/** Far above the key sets of the large providers (some 20 KiB). */
const maxBytes = 256 * 1024;
/** How many keys that can't be used are named. */
const maxFaults = 5;
/** How often an unknown `kid`, which anyone can make up, may cause a fetch; and how often an aging set does. */
const cooldownMs = 10_000;
/** While there is no usable set, every request would like one; the issuer gets this much rest between failures. */
const retryMs = 1_000;

/** True at most once in `ms`. A clock that is set back must not close it for longer, hence the distance. */
function atMostEvery(ms: number): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = Date.now();
    if (Math.abs(now - last) < ms) return false;
    last = now;
    return true;
  };
}

/** `fetch`, ended by `closing`, refusing what isn't 200 or is too large before it fills the memory. */
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

/** Nothing is fetched before the first token. The age of the set is told by the system's clock. */
export function remoteKeySet(options: RemoteKeySetOptions): KeySet {
  const maxAge = options.maxAgeSeconds * 1_000;
  const closing = new AbortController();
  // Where jose puts the set that it has fetched and found to be one.
  const fetched = {} as JWKSCacheInput;
  const remote = createRemoteJWKSet(options.jwksUrl, {
    cacheMaxAge: maxAge,
    timeoutDuration: options.timeout,
    [customFetch]: boundedFetch(closing.signal),
    [jwksCache]: fetched,
  });
  const allow = {
    unknownKey: atMostEvery(cooldownMs),
    aging: atMostEvery(Math.min(cooldownMs, maxAge / 4)),
    missing: atMostEvery(retryMs),
  };
  let keys: SigningKeys = new Map();
  let keysOf: unknown;
  let failure: unknown;
  let toldFaults = '';

  /** Joins a fetch on its way or starts one if it may; false when there was none or it failed. Never throws. */
  async function renew(allowed: () => boolean): Promise<boolean> {
    if (!remote.reloading && !allowed()) return false;
    try {
      await remote.reload();
      failure = undefined;
      return true;
    } catch (error) {
      if (failure === undefined && !closing.signal.aborted)
        options.onProblem(problem(options.jwksUrl, error));
      failure = error;
      return false;
    }
  }

  /** Once until they change: the set is fetched again and again. */
  function tellFaults(faults: readonly string[]): void {
    const few = faults.slice(0, maxFaults).join('; ');
    const more = faults.length > maxFaults ? `; and ${faults.length - maxFaults} more` : '';
    const unused = faults.length > 0 ? ` has keys that are not used: ${few}${more}` : '';
    // Every token is refused by it then, each as if it were its own fault.
    const none = keys.size === 0 ? ' has no key to check tokens with' : '';
    const found = [none, unused].filter((part) => part !== '').join(', and');
    if (found !== '' && found !== toldFaults)
      options.onProblem(`The key set at ${addressOf(options.jwksUrl)}${found}`);
    toldFaults = found;
  }

  function atHand(alg: string, kid: unknown): readonly SigningKey[] {
    if (fetched.jwks !== keysOf) {
      const read = signingKeys(fetched.jwks?.keys ?? []);
      keys = read.keys;
      keysOf = fetched.jwks;
      tellFaults(read.faults);
    }
    return keysNamed(keys, alg, kid);
  }

  async function fetchedFirst(alg: string, kid: unknown): Promise<readonly SigningKey[]> {
    if (await renew(remote.fresh ? allow.unknownKey : allow.missing)) return atHand(alg, kid);
    if (remote.fresh) return [];
    throw outOfReach(failure);
  }

  return {
    find: (alg, kid) => {
      const found = remote.fresh ? atHand(alg, kid) : [];
      if (found.length === 0) return fetchedFirst(alg, kid);
      // Not waited for: this request is served by the set at hand.
      if (Math.abs(Date.now() - (fetched.uat ?? 0)) >= maxAge / 2) void renew(allow.aging);
      return found;
    },
    close: () => closing.abort(),
  };
}

/** The query may hold a secret. */
const addressOf = ({ origin, pathname }: URL): string => origin + pathname;

function problem(url: URL, error: unknown): string {
  // fetch says only "fetch failed"; what happened stands in its cause.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return `The key set at ${addressOf(url)} could not be fetched: ${reason}`;
}
