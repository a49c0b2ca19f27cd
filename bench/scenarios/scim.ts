/** SCIM: finding one user by name, against the same on /users; and many creates in one Bulk, against as many POSTs of one caller. */
import { Agent, request } from 'node:http';
import type { Credential } from '../credentials.ts';
import { inputOf } from '../directory.ts';
import { divideEach, median, type Outcome } from '../result.ts';
import { type Contestant, figuresOf, ratiosOf, takeTurns } from '../rounds.ts';
import type { Server } from '../server.ts';
import type { Stage } from '../stage.ts';

const type = 'application/scim+json';

/** As identity providers ask before each create. */
export const scimPathOf = (userName: string): string =>
  `/scim/v2/Users?${new URLSearchParams({ filter: `userName eq "${userName}"` })}`;

const name = 'ada-500';

export async function measureScimFilter(stage: Stage): Promise<Outcome> {
  const { headers } = stage.credentials.apiKey;
  const server = await stage.service('secret');
  const contestant = (name: string, path: string, accept: string): Contestant => ({
    name,
    server,
    load: { url: `${server.url}${path}`, headers: { ...headers, accept } },
    status: 200,
    warmUp: 3000,
  });
  const rounds = await takeTurns(
    [
      contestant('/users?userName=', `/users?userName=${name}`, 'application/json'),
      contestant('SCIM userName eq', scimPathOf(name), type),
    ],
    stage,
  );
  return {
    figures: figuresOf(rounds),
    ratios: ratiosOf(rounds, {
      key: 'scim-filter/users',
      what: 'SCIM, one user by userName eq',
      against: '/users?userName=',
      ours: 'SCIM userName eq',
      floor: '/users?userName=',
      atLeast: 0.5,
    }),
  };
}

/** In one Bulk: as many as it takes. */
const creates = 1000;

let made = 0;
function makeUsers(): object[] {
  return Array.from({ length: creates }, () => {
    made += 1;
    const { roles, attributes: _attributes, ...user } = inputOf(`scim-${made}`);
    return {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      ...user,
      roles: roles.map((value) => ({ value })),
    };
  });
}

/** One caller, who keeps its connection. @returns the body */
async function post(url: string, { headers }: Credential, body: string, agent: Agent, status: number) {
  return new Promise<string>((resolve, reject) => {
    const sent = {
      ...headers,
      'content-type': type,
      accept: type,
      'content-length': Buffer.byteLength(body),
    };
    const asked = request(url, { method: 'POST', headers: sent, agent }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece)).on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(pieces).toString();
        if (answer.statusCode === status) resolve(text);
        else reject(new Error(`${url}: ${answer.statusCode}: ${text.slice(0, 500)}`));
      });
    });
    asked.on('error', reject).end(body);
  });
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** In milliseconds: as many creates, each after the other's answer, and all at once. */
async function measureCreates({ url }: Server, credential: Credential, agent: Agent) {
  const bodies = makeUsers().map((user) => JSON.stringify(user));
  const singly = await timeOf(async () => {
    for (const body of bodies) await post(`${url}/scim/v2/Users`, credential, body, agent, 201);
  });
  const Operations = makeUsers().map((data) => ({ method: 'POST', path: '/Users', data }));
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
  const body = JSON.stringify({ schemas, Operations });
  const together = await timeOf(async () => {
    const answer = await post(`${url}/scim/v2/Bulk`, credential, body, agent, 200);
    const count = answer.split('"status":"201"').length - 1;
    if (count !== creates) throw new Error(`Bulk: ${count} were made: ${answer.slice(0, 500)}`);
  });
  return { singly, together };
}

export async function measureBulk(stage: Stage): Promise<Outcome> {
  const server = await stage.service('secret', 'bulk');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = { singly: [] as number[], together: [] as number[] };
  // Two rounds come first that don't count: V8 compiles what runs often.
  for (let round = -2; round < stage.rounds; round += 1) {
    const { singly, together } = await measureCreates(server, stage.credentials.apiKey, agent);
    if (round < 0) continue;
    times.singly.push(singly);
    times.together.push(together);
  }
  agent.destroy();
  const perSecond = (ms: number) => (creates * 1000) / ms;
  return {
    figures: [
      { name: 'POST, one caller', perSecond: times.singly.map(perSecond) },
      { name: 'Bulk', perSecond: times.together.map(perSecond) },
    ],
    ratios: [
      {
        key: 'scim-bulk/posts',
        what: `${creates.toLocaleString('en')} creates in one Bulk`,
        against: 'as many POSTs of one caller',
        by: 'time',
        rounds: divideEach(times.singly, times.together),
        atLeast: 3,
        note: `${median(times.together).toFixed(0)} ms and ${median(times.singly).toFixed(0)} ms`,
      },
    ],
  };
}
