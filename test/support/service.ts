/** The whole service on a socket, with the memory store and a shared secret, for tests that speak HTTP to it. */

import { randomBytes, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { pino } from 'pino';
import { type HttpSettings, httpApp } from '../../src/adapters/http/app.ts';
import { serve } from '../../src/adapters/http/server.ts';
import { jwtAuthenticator } from '../../src/adapters/jwt/authenticator.ts';
import { memoryStore } from '../../src/adapters/memory/store.ts';
import type { Violation } from '../../src/domain/errors.ts';
import type { UserStore } from '../../src/domain/ports.ts';
import { scopes } from '../../src/domain/scopes.ts';
import type { User } from '../../src/domain/user.ts';
import { users } from '../../src/domain/users.ts';

const secret = new TextEncoder().encode('a secret of at least thirty-two bytes');
const issuer = 'https://issuer.example';
const audience = 'users';

/** A token that is good for an hour, with all scopes unless told otherwise. */
export const aToken = (granted: readonly string[] = scopes, expires = '1h'): Promise<string> =>
  new SignJWT({ scope: granted.join(' ') })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime(expires)
    .sign(secret);

export interface Request {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

/** A body as JSON: whichever of a user, a list and a problem the test expects. */
export type Body = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly meta: User['meta'];
  readonly users: readonly User[];
  readonly errors: readonly Violation[];
};

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: () => Body;
}

export interface TestService {
  readonly url: string;
  readonly store: UserStore;
  /** Every line that was logged. */
  readonly log: string[];
  /** Sends with a token for everything, unless the request brings its own Authorization. */
  send(path: string, request?: Request): Promise<Answer>;
  close(): Promise<void>;
}

export async function startService(
  settings: Partial<HttpSettings> = {},
  store: UserStore = memoryStore(),
): Promise<TestService> {
  const log: string[] = [];
  const authenticator = jwtAuthenticator(
    { issuer, audience, algorithms: ['HS256'], typ: 'at+jwt', leewaySeconds: 0, keys: { secret } },
    { now: () => new Date() },
  );
  const ids = { userId: () => randomUUID(), version: () => randomBytes(16).toString('base64url') };
  const app = httpApp({
    users: users(store, { now: () => new Date() }, ids),
    authenticators: [authenticator],
    settings: {
      publicUrl: '',
      basePath: '',
      defaultFormat: 'json',
      requireIfMatch: false,
      sharedCaching: false,
      corsOrigins: '',
      overload: { requests: 0, eventLoopDelay: 0 },
      ...settings,
    },
    log: pino({ level: 'info' }, { write: (line: string) => void log.push(line) }),
  });
  const timeouts = { headers: 5000, request: 10_000, keepAlive: 1000 };
  const server = await serve(app, { host: '127.0.0.1', port: 0, timeouts });
  const token = await aToken();
  return {
    url: server.url,
    store,
    log,
    async send(path, { method = 'GET', headers = {}, body } = {}) {
      const answer = await fetch(server.url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(body === undefined ? {} : { body }),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, text, json: () => JSON.parse(text) };
    },
    async close() {
      await server.close(1000);
      await store.close();
    },
  };
}
