/** The key set at an issuer's URL: fetched ahead of its end, never used beyond it, never fetched at a client's rate. */
import { createRemoteJWKSet, customFetch, errors, type FetchImplementation } from 'jose';
import { DomainError } from '../../domain/errors.ts';
import type { KeySet } from './key-set.ts';

export interface RemoteKeySetOptions {
  readonly jwksUrl: URL;
  /** A key withdrawn at the issuer stops working within this time. Fetched anew, in the background, from half of it. */
  readonly maxAgeSeconds: number;
  /** Milliseconds that one fetch may take, its body included. */
  readonly timeout: number;
  /** Told when a fetch fails, once until one succeeds. */
  readonly onProblem: (message: string) => void;
}

/** Far above the key sets of the large providers (some 20 KiB). */
const maxBytes = 256 * 1024;
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
  const remote = createRemoteJWKSet(options.jwksUrl, {
    cacheMaxAge: maxAge,
    timeoutDuration: options.timeout,
    // jose's own limit counts successful fetches only; the limits below hold in an outage too.
    cooldownDuration: Number.POSITIVE_INFINITY,
    [customFetch]: boundedFetch(closing.signal),
  });
  const allow = {
    unknownKey: atMostEvery(cooldownMs),
    aging: atMostEvery(Math.min(cooldownMs, maxAge / 4)),
    missing: atMostEvery(retryMs),
  };
  let fetchedAt = 0;
  let failure: unknown;

  /** Joins a fetch on its way or starts one if it may; false when there was none or it failed. Never throws. */
  async function renew(allowed: () => boolean): Promise<boolean> {
    if (!remote.reloading && !allowed()) return false;
    try {
      await remote.reload();
      fetchedAt = Date.now();
      failure = undefined;
      return true;
    } catch (error) {
      if (failure === undefined && !closing.signal.aborted)
        options.onProblem(problem(options.jwksUrl, error));
      failure = error;
      return false;
    }
  }

  async function usable(): Promise<void> {
    if (!remote.fresh) {
      if (await renew(allow.missing)) return;
      const message = 'The keys to check tokens with are out of reach.';
      throw new DomainError('unavailable', message, { cause: failure });
    }
    // Not awaited: this request is served by the set at hand.
    if (Math.abs(Date.now() - fetchedAt) >= maxAge / 2) void renew(allow.aging);
  }

  return {
    find: async (header, token) => {
      await usable();
      try {
        return await remote(header, token);
      } catch (error) {
        const unknown = error instanceof errors.JWKSNoMatchingKey;
        if (unknown && (await renew(allow.unknownKey))) return remote(header, token);
        throw error;
      }
    },
    close: () => closing.abort(),
  };
}

function problem(url: URL, error: unknown): string {
  // fetch says only "fetch failed"; what happened stands in its cause.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return `The key set at ${url.origin}${url.pathname} could not be fetched: ${reason}`;
}
