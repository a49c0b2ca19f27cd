/** What a greedy client leaves to others: ten writers beside its Bulks, and a scan beside thirty of its own. */
import { randomBytes, randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { gzipSync } from 'node:zlib';
import { SignJWT } from 'jose';
import { type Exchange, exchange } from '../test/support/exchanges.ts';
import { type Process, startProcess } from '../test/support/process.ts';
import { starvingBulk } from '../test/support/starving-bulks.ts';

/** The least part of their rate that writers keep, and the most that a scan may take beside thirty, in times of what it takes alone. */
const bounds = { kept: 0.5, slower: 4 };
const writers = 10;
const scans = 30;
/** In ms: of each measurement. */
const duration = 4000;
/** The best counts, since other work of the machine only takes from it: the first that keeps its bound is the last. */
const mostRounds = 3;

const types = { json: 'application/json', scim: 'application/scim+json' };
const issuer = 'https://issuer.example';
const audience = 'users';
const secret = randomBytes(32).toString('hex');
const scan = '/scim/v2/Users?count=1&filter=title%20co%20%22nobody%22';

const tokenOf = (client: string): Promise<string> =>
  new SignJWT({ scope: 'users:read users:write', client_id: client })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime('1h')
    .sign(Buffer.from(secret));

type Send = (method: string, path: string, type?: string, body?: string | Buffer) => Promise<Exchange>;

async function asClient({ url }: Process, client: string): Promise<{ send: Send; agent: Agent }> {
  const authorization = `Bearer ${await tokenOf(client)}`;
  const agent = new Agent({ keepAlive: true });
  const send: Send = (method, path, type = types.json, body = '') => {
    const coding = Buffer.isBuffer(body) ? { 'content-encoding': 'gzip' } : {};
    return exchange(url + path, {
      ...{ method, agent, body },
      headers: { authorization, 'content-type': type, ...coding },
    });
  };
  return { send, agent };
}

/** Does `work` time and again, so many at once, until `isOver`. */
const repeat = (count: number, isOver: () => boolean, work: () => Promise<unknown>): Promise<unknown> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      while (!isOver()) await work();
    }),
  );

/** Creations in a second, and how many were refused. */
async function measureWriters(send: Send): Promise<{ rate: number; refused: number }> {
  const statuses: number[] = [];
  const start = performance.now();
  const isOver = (): boolean => performance.now() - start > duration;
  await repeat(writers, isOver, async () => {
    const { status } = await send('POST', '/users', types.json, JSON.stringify({ userName: randomUUID() }));
    statuses.push(status);
  });
  const created = statuses.filter((status) => status === 201).length;
  return { rate: (1000 * created) / (performance.now() - start), refused: statuses.length - created };
}

async function sendBulk(send: Send, bulk: string | Buffer): Promise<void> {
  const { status } = await send('POST', '/scim/v2/Bulk', types.scim, bulk);
  // The greedy client may be refused.
  if (status !== 200 && status !== 503) throw new Error(`a Bulk was answered with ${status}`);
}

async function measureScan(send: Send): Promise<number> {
  const start = performance.now();
  const { status } = await send('GET', scan);
  if (status !== 200) throw new Error(`a scan was answered with ${status}`);
  return performance.now() - start;
}

async function beside<T>(
  greedy: () => Promise<unknown>,
  count: number,
  measure: () => Promise<T>,
): Promise<T> {
  let isOver = false;
  const work = repeat(count, () => isOver, greedy);
  const measured = await measure().finally(() => {
    isOver = true;
  });
  await work;
  return measured;
}

/** @returns of the other's rate, what it keeps beside the worst kind of Bulk; and how many of its writes are refused */
async function measureKept(greedy: Send, other: Send): Promise<{ kept: number; refused: number }> {
  const emails = [{ value: 'a@example.com' }];
  const made = await greedy('POST', '/users', types.json, JSON.stringify({ userName: 'a', emails }));
  const plain = starvingBulk(JSON.parse(made.body.toString()).id);
  let shares = { kept: 1, refused: 0 };
  for (const [name, bulk] of [
    ['plain', plain],
    ['gzip', gzipSync(plain)],
  ] as const) {
    let most = 0;
    for (let round = 0; round < mostRounds && most < bounds.kept; round += 1) {
      const alone = await measureWriters(other);
      const shared = await beside(
        () => sendBulk(greedy, bulk),
        1,
        () => measureWriters(other),
      );
      most = Math.max(most, shared.rate / alone.rate);
      shares = { ...shares, refused: shares.refused + shared.refused };
      console.log(
        `${writers} writers: ${alone.rate.toFixed(0)}/s; beside one Bulk after the other, ${name}: ${shared.rate.toFixed(0)}/s, ${shared.refused} refused`,
      );
    }
    shares = { ...shares, kept: Math.min(shares.kept, most) };
  }
  return shares;
}

/** @returns how long the other's scan takes, in times of what it takes alone */
async function measureSlower(greedy: Send, other: Send): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < mostRounds && least > bounds.slower; round += 1) {
    const alone = await measureScan(other);
    const shared = await beside(
      () => greedy('GET', scan),
      scans,
      async () => {
        await measureScan(greedy);
        return measureScan(other);
      },
    );
    least = Math.min(least, shared / alone);
    console.log(`A scan: ${alone.toFixed(0)} ms; beside ${scans} of another client: ${shared.toFixed(0)} ms`);
  }
  return least;
}

/** Prints what it measures. @returns whether a greedy client leaves to others what it must */
export async function checkShares(): Promise<boolean> {
  const service = await startProcess({
    env: {
      USERS_STORE: 'memory',
      USERS_LOG_LEVEL: 'silent',
      USERS_JWT_SECRET: secret,
      USERS_JWT_ISSUER: issuer,
      USERS_JWT_AUDIENCE: audience,
      // On a quick machine the writers make more users than a scan may look at by default.
      USERS_SCIM_MAX_SCANNED: '100000000',
    },
  });
  const [greedy, other] = await Promise.all([asClient(service, 'greedy'), asClient(service, 'other')]);
  try {
    // They compile what follows, and make the users that are scanned.
    await measureWriters(other.send);
    const slower = await measureSlower(greedy.send, other.send);
    const { kept, refused } = await measureKept(greedy.send, other.send);
    console.log(
      `Writers keep ${kept.toFixed(2)} of their rate (at least ${bounds.kept}), ${refused} of them refused; a scan takes ${slower.toFixed(1)} times as long (at most ${bounds.slower}).`,
    );
    return kept >= bounds.kept && refused === 0 && slower <= bounds.slower;
  } finally {
    for (const { agent } of [greedy, other]) agent.destroy();
    await service.stop();
  }
}
