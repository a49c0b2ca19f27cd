/** Reads one user with each kind of credential: in JSON, in XML, and not modified (304). */
import type { Credential } from '../credentials.ts';
import { idOf } from '../directory.ts';
import { loadHeaders } from '../load.ts';
import type { Outcome } from '../result.ts';
import { type Contestant, figuresOf, ratiosOf, takeTurns } from '../rounds.ts';
import type { Server } from '../server.ts';
import type { Stage } from '../stage.ts';

const path = `/users/${idOf(500)}`;

const createContestant =
  ({ headers }: Credential) =>
  (name: string, server: Server, more: Record<string, string> = {}, status = 200): Contestant => ({
    name,
    server,
    load: { url: `${server.url}${path}`, headers: { ...headers, ...more } },
    status,
  });

async function fetchTag(server: Server, { headers }: Credential, accept: string): Promise<string> {
  const answer = await fetch(`${server.url}${path}`, { headers: { ...loadHeaders, ...headers, accept } });
  await answer.body?.cancel();
  return answer.headers.get('etag') ?? '';
}

/** Bare Koa, the minimal Koa baseline, Fastify, and ours. */
async function startContestants(stage: Stage, credential: Credential): Promise<Contestant[]> {
  const { takenBy } = credential;
  const contestant = createContestant(credential);
  return [
    contestant('bare Koa', await stage.bareKoa()),
    contestant('bone', await stage.bone(takenBy)),
    contestant('Fastify', await stage.fastify(takenBy)),
    contestant('ours', await stage.service(takenBy)),
  ];
}

const keyOf = ({ name }: Credential): string => `get-${name.toLowerCase().replace(' ', '-')}`;

export const measureGetOne =
  (pick: (stage: Stage) => Credential) =>
  async (stage: Stage): Promise<Outcome> => {
    const credential = pick(stage);
    const rounds = await takeTurns(await startContestants(stage, credential), stage);
    const what = `GET one, JSON, ${credential.name}`;
    const begin = keyOf(credential);
    return {
      figures: figuresOf(rounds),
      ratios: [
        ...ratiosOf(rounds, {
          key: `${begin}/bone`,
          what,
          against: 'minimal Koa baseline',
          ours: 'ours',
          floor: 'bone',
          atLeast: 0.8,
        }),
        ...ratiosOf(rounds, {
          key: `${begin}/bare`,
          what,
          against: 'bare Koa',
          ours: 'ours',
          floor: 'bare Koa',
        }),
        ...ratiosOf(rounds, {
          key: `${begin}/fastify`,
          what,
          against: 'Fastify',
          ours: 'ours',
          floor: 'Fastify',
          atLeast: 1,
        }),
      ],
    };
  };

/** XML and 304 responses. */
export async function measureOtherAnswers(stage: Stage): Promise<Outcome> {
  const credential = stage.credentials.apiKey;
  const [ours, fastify] = [await stage.service('secret'), await stage.fastify('secret')];
  const contestant = createContestant(credential);
  const tags = {
    json: await fetchTag(ours, credential, 'application/json'),
    xml: await fetchTag(ours, credential, 'application/xml'),
    fastify: await fetchTag(fastify, credential, '*/*'),
  };
  const xml = { accept: 'application/xml' };
  const rounds = await takeTurns(
    [
      contestant('200 JSON', ours),
      contestant('304 JSON', ours, { 'if-none-match': tags.json }, 304),
      contestant('200 XML', ours, xml),
      contestant('304 XML', ours, { ...xml, 'if-none-match': tags.xml }, 304),
      contestant('304 Fastify', fastify, { 'if-none-match': tags.fastify }, 304),
    ],
    stage,
  );
  const what = '304, JSON';
  return {
    figures: figuresOf(rounds),
    ratios: [
      ...ratiosOf(rounds, {
        key: '304/200',
        what,
        against: 'its 200',
        ours: '304 JSON',
        floor: '200 JSON',
        atLeast: 1,
      }),
      ...ratiosOf(rounds, {
        key: '304-xml/200',
        what: '304, XML',
        against: 'its 200',
        ours: '304 XML',
        floor: '200 XML',
        atLeast: 1,
      }),
      ...ratiosOf(rounds, {
        key: '304/fastify',
        what,
        against: "Fastify's 304",
        ours: '304 JSON',
        floor: '304 Fastify',
      }),
      ...ratiosOf(rounds, {
        key: 'get-xml/json',
        what: 'GET one, XML, as served',
        against: 'JSON',
        ours: '200 XML',
        floor: '200 JSON',
        atLeast: 0.73,
      }),
    ],
  };
}
