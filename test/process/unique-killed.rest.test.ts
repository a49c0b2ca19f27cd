/** Clients race for one unique value through two processes, one of which is killed in the middle of each race. */
import { randomInt, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { bulkOf, mediaType, patchOf } from '../adapters/apis/scim/scim-client.ts';
import { caseDeadline } from '../support/deadlines.ts';
import { declarations } from '../support/declared.ts';
import { type Exchange, exchange } from '../support/exchanges.ts';
import { describeMongo, inADatabase } from '../support/mongodb.ts';
import { aDataFolder, discardProcesses, type Environment } from '../support/process.ts';
import { runs } from '../support/runs.ts';
import { Services } from './feed/services.ts';

type Request = readonly [method: string, path: string, body?: object];

const [racers, processes, rounds] = [64, 2, runs(40)];
const attributes = { badge: 1 };
const path = 'urn:user-management:1:User:badge';
const take = patchOf({ op: 'add', path, value: attributes.badge });
const giveUp = patchOf({ op: 'remove', path });
const inBulk = (id: string, data: object): Request => [
  ...(['POST', '/scim/v2/Bulk'] as const),
  bulkOf([{ method: 'PATCH', path: `/Users/${id}`, data }]),
];

/** How the user with this id gets the value, and gives it up. */
const ways: readonly ((id: string) => readonly [take: Request, giveUp: Request])[] = [
  (id) => [
    ['POST', '/users', { id, userName: id, attributes }],
    ['DELETE', `/users/${id}`],
  ],
  (id) => [
    ['PUT', `/users/${id}`, { userName: id, attributes }],
    ['PUT', `/users/${id}`, { userName: id }],
  ],
  (id) => [
    ['PATCH', `/scim/v2/Users/${id}`, take],
    ['PATCH', `/scim/v2/Users/${id}`, giveUp],
  ],
  (id) => [inBulk(id, take), inBulk(id, giveUp)],
];

/** For that value, as each API says it. */
const refusal = /attribute-taken.*"\/attributes\/badge"|"uniqueness".*"The badge is taken\."/;

class Race {
  readonly #services: Services;
  readonly #authorization: string;
  readonly #racers = Array.from({ length: racers }, (_, at) => {
    const id = randomUUID();
    const [take, giveUp] = ways[Math.floor(at / processes) % ways.length]?.(id) ?? expect.fail('no way');
    return { id, take, giveUp };
  });

  /** In ms: the last round. */
  #lasted = 100;

  constructor(services: Services, authorization: string) {
    [this.#services, this.#authorization] = [services, authorization];
  }

  async begin(): Promise<void> {
    for (const { id, take } of this.#racers)
      if (take[1] !== '/users') await this.#isDone(0, ['POST', '/users', { id, userName: id }]);
  }

  /** All ask for the value at once, in any order; one of the processes is killed at any time until the last answer. */
  async round(): Promise<void> {
    const [victim, begun] = [randomInt(processes), performance.now()];
    const killed = delay(randomInt(this.#lasted)).then(() => this.#services.kill(victim));
    const told = await Promise.all(
      fc
        .sample(fc.shuffledSubarray([...this.#racers.entries()], { minLength: racers }), 1)
        .flat()
        .map(async ([at, { id, take }]) => {
          const isDone = await this.#isDone(at, take);
          if (isDone === undefined) expect(at % processes, 'without an answer').to.equal(victim);
          return isDone ? [id] : [];
        }),
    );
    this.#lasted = Math.ceil(performance.now() - begun);
    await killed;
    await this.#services.restart(victim);
    const [holders, others] = [await this.#holders(0), await this.#holders(1)];
    expect([holders.length, others]).to.deep.equal([1, holders]);
    expect([[], holders], 'told that it has the value').to.deep.include(told.flat());
    const winner = this.#racers.find(({ id }) => id === holders[0]) ?? expect.fail('no racer has the value');
    await this.#isDone(victim, winner.giveUp);
    expect(await this.#holders(victim)).to.deep.equal([]);
  }

  /** False: refused, because another user has the value. Undefined without an answer. */
  async #isDone(at: number, request: Request): Promise<boolean | undefined> {
    const answer = await this.#ask(at, request).catch(() => undefined);
    if (answer === undefined) return undefined;
    const text = String(answer.body);
    const { Operations: [operation] = [] } = text === '' ? {} : JSON.parse(text);
    const status = Number(operation?.status ?? answer.status);
    if (status < 300) return true;
    expect([status, text]).to.deep.equal([409, refusal.exec(text)?.input]);
    return false;
  }

  /** As a process finds them. */
  async #holders(at: number): Promise<readonly string[]> {
    const { body } = await this.#ask(at, ['GET', `/users?attributes.badge=${attributes.badge}`]);
    return JSON.parse(String(body)).users.map(({ id }: { readonly id: string }) => id);
  }

  #ask(at: number, [method, target, body]: Request): Promise<Exchange> {
    const type = target.startsWith('/scim/') ? mediaType : 'application/json';
    const headers = { authorization: this.#authorization, ...(body && { 'content-type': type }) };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }), unreported: true };
    return exchange(this.#services.process(at % processes).url + target, sent);
  }
}

async function race(env: Environment): Promise<void> {
  const file = join(aDataFolder(), 'attributes.json5');
  writeFileSync(file, JSON.stringify(declarations));
  const services = await Services.start(processes, { ...env, USERS_ATTRIBUTES_FILE: file });
  const race = new Race(services, await services.authorization());
  await race.begin();
  for (let round = 0; round < rounds; round += 1) await race.round();
  await services.stop();
}

describe(`A unique value that ${racers} clients ask for at once while one of two processes is killed, ${rounds} times,`, function () {
  this.timeout(caseDeadline * Math.max(1, rounds / 10));
  afterEach(discardProcesses);

  const does = 'has one holder until that gives it up; all other clients are told that it is taken';
  it(`${does}, on SQLite`, () => race({}));

  describeMongo('with MongoDB,', () => {
    it(does, () => inADatabase(({ uri }) => race({ USERS_STORE: 'mongodb', USERS_MONGODB_URI: uri })));
  });
});
