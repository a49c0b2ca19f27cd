/** A real Keycloak, and its admin API. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Context } from 'mocha';
import { aFreePort } from '../support/free-port.ts';
import { missing, needed, whereIs } from './tools.ts';

/** Requests of a test in place of an administrator's clicks. */
type Send = <T>(method: string, path: string, body?: unknown) => Promise<T>;

export interface Keycloak {
  readonly url: string;
  /** At `/admin/realms` of its admin API. @throws Error with its answer */
  readonly send: Send;
  /** The token response. @throws Error with its answer */
  token(realm: string, form: Readonly<Record<string, string>>): Promise<{ readonly access_token: string }>;
  stop(): Promise<void>;
}

const administrator = { username: 'admin', password: 'a password for tests' };

/** Has printed that it listens. @throws Error with its output when it ends instead */
async function listening(child: ChildProcess): Promise<void> {
  const lines: string[] = [];
  if (child.stdout === null) return;
  for await (const line of createInterface(child.stdout)) {
    if (/ started in .*Listening on/.test(line)) {
      child.stdout.resume();
      return;
    }
    lines.push(line);
  }
  throw new Error(`Keycloak has ended:\n${lines.slice(-20).join('\n')}`);
}

/** KEYCLOAK is the folder of a distribution that was built (`kc.sh build --db=dev-mem`), or it is left out as `missing` says. */
export async function startKeycloak(context: Context): Promise<Keycloak> {
  needed(context, 'java');
  const folder = process.env.KEYCLOAK ?? missing(context, 'Keycloak (KEYCLOAK)');
  const port = await aFreePort();
  const url = `http://127.0.0.1:${port}`;
  const options = [
    '--http-enabled=true',
    '--hostname-strict=false',
    '--cache=local',
    '--http-host=127.0.0.1',
  ];
  const child = spawn(
    whereIs('bash') ?? 'bash',
    [join(folder, 'bin', 'kc.sh'), 'start', '--optimized', ...options, `--http-port=${port}`],
    {
      env: {
        ...process.env,
        KC_BOOTSTRAP_ADMIN_USERNAME: administrator.username,
        KC_BOOTSTRAP_ADMIN_PASSWORD: administrator.password,
        JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx384m',
        // It runs for less than a minute: the second compiler would take a core for itself and save nothing.
        JAVA_OPTS_APPEND: '-XX:TieredStopAtLevel=1',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'close');
  await listening(child);

  const token: Keycloak['token'] = async (realm, form) => {
    const endpoint = `${url}/realms/${realm}/protocol/openid-connect/token`;
    const response = await fetch(endpoint, { method: 'POST', body: new URLSearchParams(form) });
    if (!response.ok) throw new Error(`token of ${realm}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { access_token: string };
  };
  return {
    url,
    token,
    async send<T>(method: string, path: string, body?: unknown) {
      // Good for a minute, and only for realms that were there before it.
      const { access_token } = await token('master', {
        ...{ grant_type: 'password', client_id: 'admin-cli' },
        ...administrator,
      });
      const response = await fetch(`${url}/admin/realms${path}`, {
        method,
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return (text === '' ? undefined : JSON.parse(text)) as T;
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}
