/** Creates and replaces users, durably, and reads while others write. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Credential } from '../credentials.ts';
import { idOf, inputOf } from '../directory.ts';
import { type Load, load } from '../load.ts';
import { divideEach, median, type Outcome, type Ratio } from '../result.ts';
import { type Contestant, figuresOf, ratiosOf, runWarmUp, takeTurns } from '../rounds.ts';
import type { Server } from '../server.ts';
import type { Stage } from '../stage.ts';

const json = 'application/json';
const xml = 'application/xml';
const writers = 32;

const bodies: Readonly<Record<string, string>> = {
  [json]: JSON.stringify(inputOf('{new}')),
  [xml]: [
    '<user xmlns="urn:user-management:1"><userName>ada-{new}</userName><externalId>personnel-{new}</externalId>',
    '<name><formatted>Ada Lovelace</formatted><familyName>Lovelace</familyName><givenName>Ada</givenName></name>',
    '<displayName>Ada Lovelace</displayName><title>Analyst &amp; Programmer</title>',
    '<preferredLanguage>en-GB</preferredLanguage><timezone>Europe/London</timezone><active>true</active>',
    '<emails><email><value>ada-{new}@example.org</value><type>work</type><primary>true</primary></email>',
    '<email><value>ada-{new}@example.net</value><type>home</type></email></emails>',
    '<phoneNumbers><phoneNumber><value>+44 20 7946 0000</value><type>work</type></phoneNumber></phoneNumbers>',
    "<addresses><address><streetAddress>12 St James's Square</streetAddress><locality>London</locality>",
    '<country>GB</country><type>work</type></address></addresses>',
    '<roles><role>analyst</role><role>reader</role></roles>',
    '<attributes><attribute name="costCenter">42</attribute></attributes></user>',
  ].join(''),
};

export const postLoad = ({ url }: Server, { headers }: Credential, type = json): Load => ({
  url: `${url}/users`,
  headers: { ...headers, 'content-type': type },
  connections: writers,
  vary: { method: 'POST', body: bodies[type] ?? '' },
});

export const putLoad = ({ url }: Server, { headers }: Credential): Load => ({
  url: `${url}/users/{id}`,
  headers: { ...headers, 'content-type': json },
  connections: writers,
  vary: { method: 'PUT', body: JSON.stringify({ ...inputOf('{at}'), title: '{new}' }) },
});

export async function measureWrites(stage: Stage): Promise<Outcome> {
  const { apiKey } = stage.credentials;
  const [ours, fastify] = [await stage.service('secret', 'write'), await stage.fastify('secret', 'write')];
  const contestants: Contestant[] = [
    { name: 'POST Fastify', server: fastify, load: postLoad(fastify, apiKey), status: 201 },
    { name: 'POST JSON', server: ours, load: postLoad(ours, apiKey), status: 201 },
    { name: 'POST XML', server: ours, load: postLoad(ours, apiKey, xml), status: 201 },
    { name: 'PUT Fastify', server: fastify, load: putLoad(fastify, apiKey), status: 200 },
    { name: 'PUT JSON', server: ours, load: putLoad(ours, apiKey), status: 200 },
  ];
  const rounds = await takeTurns(
    contestants.map((one) => ({ ...one, warmUp: 1500 })),
    stage,
  );
  return {
    figures: figuresOf(rounds),
    ratios: [
      ...ratiosOf(rounds, {
        key: 'post/fastify',
        what: 'POST, JSON',
        against: 'Fastify',
        ours: 'POST JSON',
        floor: 'POST Fastify',
      }),
      ...ratiosOf(rounds, {
        key: 'post-xml/json',
        what: 'POST, XML',
        against: 'JSON',
        ours: 'POST XML',
        floor: 'POST JSON',
        atLeast: 0.7,
      }),
      ...ratiosOf(rounds, {
        key: 'put/fastify',
        what: 'PUT, JSON',
        against: 'Fastify',
        ours: 'PUT JSON',
        floor: 'PUT Fastify',
      }),
    ],
  };
}

const readLoad = ({ url }: Server, { headers }: Credential): Load => ({
  url: `${url}/users/${idOf(500)}`,
  headers,
});

/** In seconds, before the first read that counts and after the last, so that writers are active during all of them. */
const margin = 0.2;

interface Share {
  readonly name: string;
  readonly server: Server;
  readonly idle: number[];
  readonly busy: number[];
  readonly p99: number[];
  readonly written: number[];
}

async function measureShare(share: Share, credential: Credential, seconds: number): Promise<void> {
  const { server, idle, busy, p99, written } = share;
  idle.push((await load(readLoad(server, credential), seconds)).perSecond);
  const writing = load(postLoad(server, credential), seconds + 2 * margin);
  await delay(margin * 1000);
  const meanwhile = await load(readLoad(server, credential), seconds);
  busy.push(meanwhile.perSecond);
  p99.push(meanwhile.p99);
  written.push((await writing).perSecond);
}

/** GETs while others POST, relative to GETs alone. */
export async function measureReadsUnderWrites(stage: Stage): Promise<Outcome> {
  const { apiKey } = stage.credentials;
  const share = (name: string, server: Server): Share => ({
    name,
    server,
    idle: [],
    busy: [],
    p99: [],
    written: [],
  });
  const ours = share('ours', await stage.service('secret', 'busy'));
  // Not in a quick run: it only shows what a store that blocks the event loop costs.
  const fastify = stage.quick ? [] : [share('Fastify', await stage.fastify('secret', 'busy'))];
  const shares = [ours, ...fastify];
  for (const { server } of shares) {
    await runWarmUp(readLoad(server, apiKey), 5000);
    await runWarmUp(postLoad(server, apiKey), 1500);
  }
  for (let round = 0; round < Math.ceil(stage.rounds / 2); round += 1)
    for (const each of shares) await measureShare(each, apiKey, Math.max(stage.seconds, 1));
  const what = `GETs while ${writers} POST, share of the idle rate`;
  const ratio = (one: Share, more: Pick<Ratio, 'key' | 'atLeast'>): Ratio => ({
    ...more,
    what: `${what}, ${one.name}`,
    against: 'idle',
    by: 'throughput',
    rounds: divideEach(one.busy, one.idle),
    note: `p99 ${median(one.p99).toFixed(0)} ms, ${median(one.written).toFixed(0)} written/s`,
  });
  return {
    figures: shares.flatMap(({ name, idle, busy, p99, written }) => [
      { name: `${name}: GET, idle`, perSecond: idle },
      { name: `${name}: GET, meanwhile`, perSecond: busy, p99 },
      { name: `${name}: POST`, perSecond: written },
    ]),
    ratios: [
      ratio(ours, { key: 'reads-under-writes', atLeast: 0.5 }),
      ...fastify.map((one) => ratio(one, {})),
    ],
  };
}
