/**
 * `npm run bench -- profile`: the service's CPU time by function, and by package or file, as V8's sampling profiler sees it.
 * `--only POST` takes the cases whose names contain it.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Credential, type Credentials, makeCredentials } from './credentials.ts';
import { fill, idOf, inputOf } from './directory.ts';
import { type Load, load } from './load.ts';
import { scimPathOf } from './scenarios/scim.ts';
import { startServer } from './server.ts';

interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame; readonly hitCount: number }[];
}

interface Case {
  readonly name: string;
  readonly credential: Credential;
  readonly path: string;
  readonly more?: Readonly<Record<string, string>>;
  readonly vary?: Load['vary'];
}

const seconds = 5;

/** A package, a file of ours, or a part of Node. */
function ownerOf({ url, functionName }: Frame): string {
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (inPackage !== undefined) return inPackage;
  if (url.startsWith('node:')) return url;
  if (url === '') return functionName.startsWith('(') ? functionName : 'native';
  return `ours: ${/build\/(.*)$/.exec(url)?.[1] ?? url}`;
}

function rankFrames(profile: Profile, name: (frame: Frame) => string): [string, number][] {
  const hits = new Map<string, number>();
  for (const { callFrame, hitCount } of profile.nodes) {
    // Waiting costs nothing.
    if (['(idle)', '(root)'].includes(callFrame.functionName)) continue;
    const key = name(callFrame);
    hits.set(key, (hits.get(key) ?? 0) + hitCount);
  }
  const total = [...hits.values()].reduce((sum, count) => sum + count, 0);
  return [...hits].map(([key, count]): [string, number] => [key, count / total]).sort((a, b) => b[1] - a[1]);
}

function printRanking(title: string, lines: readonly [string, number][]): void {
  console.log(`\n${title}`);
  for (const [key, share] of lines) console.log(`${(share * 100).toFixed(1).padStart(5)} %  ${key}`);
}

async function profileCase(
  { credential, path, more, vary, name }: Case,
  { settings }: Credentials,
  folder: string,
): Promise<void> {
  const place = join(folder, name.replaceAll(/\W+/g, '-'));
  mkdirSync(place);
  const server = await startServer(
    'src/main.ts',
    place,
    {
      ...settings[credential.takenBy],
      USERS_SQLITE_FILE: join(folder, 'users.db'),
      // From the source, so that the profile names files; the console's are made by the tests' build alone.
      USERS_CONSOLE_ENABLED: 'false',
    },
    ['--import', new URL('./record-profile.ts', import.meta.url).href],
  );
  const what: Load = {
    url: `${server.url}${path}`,
    headers: { ...credential.headers, ...more },
    ...(vary && { vary }),
  };
  await load(what, 2);
  await server.ask('profile');
  const before = await server.cpu();
  const { requests, perSecond } = await load(what, seconds);
  const cpu = ((await server.cpu()) - before) / requests;
  const { profile } = (await server.ask('profiled')) as { profile: Profile };
  await server.stop();
  console.log(`\n## ${name}: ${Math.round(perSecond)} requests/s, ${cpu.toFixed(0)} µs CPU each, profiled`);
  printRanking('By what it belongs to', rankFrames(profile, ownerOf).slice(0, 22));
  const whole = (frame: Frame) =>
    `${frame.functionName || '(anonymous)'}  ${ownerOf(frame)}:${frame.lineNumber + 1}`;
  printRanking('By function, its own time', rankFrames(profile, whole).slice(0, 45));
}

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const folder = mkdtempSync(join(tmpdir(), 'users-profile-'));
try {
  const credentials = await makeCredentials(folder);
  fill(join(folder, 'users.db'), 0, 1000);
  const { apiKey, hs256, rs256 } = credentials;
  const one = `/users/${idOf(500)}`;
  const type = { 'content-type': 'application/json' };
  const body = JSON.stringify(inputOf('{new}'));
  const cases: Case[] = [
    { name: 'GET one, JSON, API key', credential: apiKey, path: one },
    { name: 'GET one, JSON, HS256', credential: hs256, path: one },
    { name: 'GET one, JSON, RS256', credential: rs256, path: one },
    { name: 'GET one, XML, API key', credential: apiKey, path: one, more: { accept: 'application/xml' } },
    { name: 'GET list of 100, JSON, API key', credential: apiKey, path: '/users?limit=100' },
    {
      name: 'GET list of 100, XML, API key',
      credential: apiKey,
      path: '/users?limit=100',
      more: { accept: 'application/xml' },
    },
    { name: 'GET by userName, JSON, API key', credential: apiKey, path: '/users?userName=ada-500' },
    { name: 'GET by userName, SCIM, API key', credential: apiKey, path: scimPathOf('ada-500') },
    {
      name: 'POST, JSON, API key',
      credential: apiKey,
      path: '/users',
      more: type,
      vary: { method: 'POST', body },
    },
  ];
  for (const each of cases.filter(({ name }) => name.includes(values.only)))
    await profileCase(each, credentials, folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
