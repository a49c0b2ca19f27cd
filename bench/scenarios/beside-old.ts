/** The requests that clients send most, beside an earlier build: what has become slower since, and by how much. */
import type { Credential } from '../credentials.ts';
import { idOf } from '../directory.ts';
import { type Load, loadHeaders } from '../load.ts';
import type { Outcome } from '../result.ts';
import { type Contestant, figuresOf, ratiosOf, takeTurns } from '../rounds.ts';
import type { Server } from '../server.ts';
import type { Stage } from '../stage.ts';
import { postLoad, putLoad } from './writes.ts';

interface Kind {
  readonly what: string;
  readonly status: number;
  /** Of the file that the servers use. */
  readonly use: 'read' | 'write';
  load(server: Server, credential: Credential): Load | Promise<Load>;
}

const read = (path: string, more: Readonly<Record<string, string>> = {}): Kind['load'] => {
  return ({ url }, { headers }) => ({ url: url + path, headers: { ...headers, ...more } });
};

const one = `/users/${idOf(500)}`;

async function notModified({ url }: Server, { headers }: Credential): Promise<Load> {
  const answer = await fetch(url + one, { headers: { ...loadHeaders, ...headers } });
  await answer.body?.cancel();
  const tag = answer.headers.get('etag') ?? '';
  return { url: url + one, headers: { ...headers, 'if-none-match': tag } };
}

/** The first page of a history with many entries. */
async function longHistory({ url }: Server, { headers }: Credential): Promise<Load> {
  const path = url + one;
  const change = async (round: number): Promise<void> => {
    const body = JSON.stringify({ title: `Title ${round}` });
    const init = { method: 'PATCH', headers: { ...headers, 'content-type': 'application/json' }, body };
    const { status } = await fetch(path, init);
    if (status !== 200) throw new Error(`PATCH: ${status}`);
  };
  for (let round = 0; round < 10_000; round += 1) await change(round);
  return { url: `${path}/history`, headers };
}

const kinds: readonly Kind[] = [
  { what: 'GET one', status: 200, use: 'read', load: read(one) },
  { what: 'GET one, XML', status: 200, use: 'read', load: read(one, { accept: 'application/xml' }) },
  { what: '304', status: 304, use: 'read', load: notModified },
  { what: 'page of 100', status: 200, use: 'read', load: read('/users?limit=100') },
  {
    what: 'page of 20, search and total',
    status: 200,
    use: 'read',
    load: read('/users?search=love&limit=20&total=true'),
  },
  { what: 'POST', status: 201, use: 'write', load: postLoad },
  { what: 'PUT', status: 200, use: 'write', load: putLoad },
  { what: 'history of 10,000 entries', status: 200, use: 'write', load: longHistory },
];

/** Enough responses for V8 to compile the hot code; writes wait for the disk. */
const warmUps = { read: 2000, write: 1500 };

async function measureKind(kind: Kind, stage: Stage, ours: Server, old: Server): Promise<Outcome> {
  const { what, status, use, load } = kind;
  const contestant = async (name: string, server: Server): Promise<Contestant> => ({
    name: `${what}, ${name}`,
    server,
    load: await load(server, stage.credentials.apiKey),
    status,
    warmUp: warmUps[use],
  });
  const pair = [await contestant('old', old), await contestant('ours', ours)];
  const rounds = await takeTurns(pair, stage);
  return {
    figures: figuresOf(rounds),
    ratios: ratiosOf(rounds, {
      what,
      against: 'the old build',
      ours: `${what}, ours`,
      floor: `${what}, old`,
    }),
  };
}

export async function measureBesideOld(stage: Stage): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const kind of kinds) {
    const old = await stage.old(kind.use);
    if (old === undefined) return { skipped: 'name an earlier build with --old DIR' };
    outcomes.push(await measureKind(kind, stage, await stage.service('secret', kind.use), old));
  }
  return {
    figures: outcomes.flatMap(({ figures = [] }) => figures),
    ratios: outcomes.flatMap(({ ratios = [] }) => ratios),
  };
}
