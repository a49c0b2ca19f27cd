/**
 * `npm run bench [-- --quick]`: what reading one user costs, against bare Koa and @koa/router serving the same bytes.
 * Ratios of rounds that stood side by side are what to compare between machines; the figures beside them are this one's.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { developmentToken } from '../src/adapters/jwt/development-key.ts';
import { type Contender, measure, type Round } from './measure.ts';
import { type Server, startServer } from './server.ts';

const secret = 'the secret of a benchmark, 32 bytes or more';
const issuer = 'urn:bench';
const audience = 'urn:bench:users';
const settings = {
  USERS_PORT: '0',
  USERS_JWT_SECRET: secret,
  USERS_JWT_ISSUER: issuer,
  USERS_JWT_AUDIENCE: audience,
};

const person = {
  userName: 'ada',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  displayName: 'Ada Lovelace',
  emails: [{ value: 'ada@example.org', type: 'work', primary: true }],
  phoneNumbers: [{ value: '+44 20 7946 0000', type: 'work' }],
  roles: ['analyst', 'reader'],
  attributes: { costCenter: '42' },
};

async function created(url: string, headers: Record<string, string>): Promise<string> {
  const sent = { ...headers, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/users`, { method: 'POST', headers: sent, body: JSON.stringify(person) });
  if (answer.status !== 201) throw new Error(`POST: ${answer.status} ${await answer.text()}`);
  return url + answer.headers.get('location');
}

function spread(values: readonly number[], digits: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  const shown = [sorted[Math.floor(sorted.length / 2)], sorted[0], sorted.at(-1)].map((value) =>
    value?.toFixed(digits),
  );
  return `${shown[0]} (${shown[1]}–${shown[2]})`;
}

function report(contenders: readonly Contender[], measured: readonly Round[][]): void {
  const [baseline = []] = measured;
  const ratios = (rounds: Round[], figure: keyof Round) =>
    spread(
      rounds.map((round, at) => round[figure] / (baseline[at]?.[figure] ?? Number.NaN)),
      2,
    );
  const table = contenders.map(({ name }, at) => {
    const rounds = measured[at] ?? [];
    return {
      'GET one user': name,
      'CPU µs/request': spread(
        rounds.map(({ cpu }) => cpu),
        0,
      ),
      'CPU, ratio': ratios(rounds, 'cpu'),
      'requests/s': spread(
        rounds.map(({ perSecond }) => perSecond),
        0,
      ),
      'throughput, ratio': ratios(rounds, 'perSecond'),
    };
  });
  console.table(table);
  console.log('Median of the rounds (min–max); ratios to the first line, round by round.');
}

async function main(quick: boolean, folder: string, servers: Server[]): Promise<void> {
  const started = async (script: string, name: string, env: Record<string, string>) => {
    const server = await startServer(script, folder, {
      USERS_SQLITE_FILE: join(folder, name, 'users.db'),
      ...env,
    });
    servers.push(server);
    return server;
  };
  const granted = {
    issuer,
    audience,
    scopes: ['users:read', 'users:write'],
    seconds: 3600,
    typ: 'at+jwt',
  } as const;
  const headers = { authorization: `Bearer ${await developmentToken(Buffer.from(secret), granted)}` };
  const service = await started('src/main.js', 'service', settings);
  const silent = await started('src/main.js', 'silent', { ...settings, USERS_LOG_LEVEL: 'silent' });
  const url = await created(service.url, headers);
  const shown = await fetch(url, { headers });
  const same = { BENCH_BODY: await shown.text(), BENCH_TYPE: shown.headers.get('content-type') ?? '' };
  const bare = await started('bench/baseline.js', 'bare', same);
  const contenders = [
    { name: 'bare Koa + @koa/router', server: bare, url: bare.url + new URL(url).pathname, headers },
    { name: 'the service', server: service, url, headers },
    { name: 'the service, no log', server: silent, url: await created(silent.url, headers), headers },
  ];
  report(contenders, quick ? await measure(contenders, 3, 1) : await measure(contenders, 5, 3));
}

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const folder = mkdtempSync(join(tmpdir(), 'users-bench-'));
const servers: Server[] = [];
try {
  await main(values.quick, folder, servers);
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
}
