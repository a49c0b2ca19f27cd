/**
 * Users and groups that are deleted and restored while others write, and the service is killed. Each of them has one caller, who knows what it must be:
 * as it was when it was deleted, but for `meta.version` and `meta.lastModified`.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { caseDeadline } from '../support/deadlines.ts';
import { discardProcesses, type Environment, type Process, startProcess } from '../support/process.ts';

const [callers, writers, others] = [12, 4, 5];
const scopes = ['users:write', 'groups:write', 'users:delete', 'groups:delete', 'history:read'];

/** The process is gone. */
class Gone extends Error {}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what a service answers
  readonly body: any;
}

type Send = (method: string, path: string, body?: object) => Promise<Answer>;

/** Repeats what a service that ends has refused. @throws Gone */
const sender =
  (service: Process, token: string): Send =>
  async (method, path, body) => {
    for (;;) {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': type }) };
      try {
        const response = await fetch(service.url + path, {
          ...{ method, headers },
          ...(body && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        if (response.status !== 503) return { status: response.status, body: text && JSON.parse(text) };
      } catch {
        throw new Gone();
      }
    }
  };

/** What a restoration brings back: the document and the ids of the groups or members. */
type State = readonly [document: object, related: readonly string[]];

class Life {
  readonly kind: 'users' | 'groups';
  readonly path: string;
  readonly #id = randomUUID();
  readonly #taker = randomUUID();
  readonly #others: readonly string[];
  /** Undefined while a change is under way, whose outcome may be unknown. */
  #state: State | undefined;

  /** @param others ids of the groups that the user may join, or of the users that the group may have */
  constructor(kind: 'users' | 'groups', others: readonly string[]) {
    this.kind = kind;
    this.path = `/${kind}/${this.#id}`;
    this.#others = others;
  }

  get #name(): string {
    return this.kind === 'users' ? 'userName' : 'displayName';
  }

  /** Goes on where a kill has ended it. */
  async resume(send: Send): Promise<void> {
    await send('DELETE', `/${this.kind}/${this.#taker}`);
    const found = await this.#read(send);
    if (found !== undefined && this.#state !== undefined) expect(found).to.deep.equal(this.#state);
    if (found === undefined && this.#state === undefined) await this.#create(send);
    else if (found === undefined) await this.#restore(send);
  }

  /** One change, one deletion and one restoration. */
  async turn(send: Send): Promise<void> {
    await this.#change(send);
    this.#state = await this.#read(send);
    expect((await send('DELETE', this.path)).status).to.equal(204);
    if (randomInt(4) === 0) await this.#meetTaker(send);
    await this.#restore(send);
  }

  async #create(send: Send): Promise<void> {
    const extra = this.kind === 'users' && {
      photos: [{ value: `https://example.org/${this.#id}` }],
      active: false,
    };
    const body = { id: this.#id, [this.#name]: `Name-${this.#id}`, ...extra };
    expect((await send('POST', `/${this.kind}`, body)).status).to.be.oneOf([201, 409]);
  }

  async #change(send: Send): Promise<void> {
    this.#state = undefined;
    const member = this.kind === 'users' ? 'title' : 'description';
    await send('PATCH', this.path, { [member]: randomUUID() });
    const other = this.#others[randomInt(this.#others.length)] ?? '';
    const [group, user] = this.kind === 'users' ? [other, this.#id] : [this.#id, other];
    const method = randomInt(3) === 0 ? 'DELETE' : 'PUT';
    expect((await send(method, `/groups/${group}/members/${user}`)).status).to.equal(204);
  }

  async #restore(send: Send): Promise<void> {
    const { status, body } = await send('POST', `${this.path}/restore`);
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(await this.#read(send)).to.deep.equal(this.#state);
  }

  /** Another one has the name: the restoration is refused, and nothing is changed. */
  async #meetTaker(send: Send): Promise<void> {
    const taker = { id: this.#taker, [this.#name]: `NAME-${this.#id}` };
    expect((await send('POST', `/${this.kind}`, taker)).status).to.equal(201);
    const { status, body } = await send('POST', `${this.path}/restore`);
    expect([status, body.errors[0].pointer]).to.deep.equal([409, `/${this.#name}`]);
    expect(await this.#read(send)).to.equal(undefined);
    const { body: history } = await send('GET', `${this.path}/history?limit=1`);
    expect(history.changes[0].type).to.match(/[.]deleted$/);
    expect((await send('DELETE', `/${this.kind}/${this.#taker}`)).status).to.equal(204);
  }

  async #read(send: Send): Promise<State | undefined> {
    const { status, body } = await send('GET', this.path);
    if (status === 404) return undefined;
    expect(status).to.equal(200);
    const { meta, ...document } = body;
    const [list, many] =
      this.kind === 'users'
        ? [`/groups?member=${this.#id}`, 'groups']
        : [`/users?group=${this.#id}`, 'users'];
    const related = (await send('GET', list)).body[many].map(({ id }: { id: string }) => id).sort();
    return [{ ...document, created: meta.created }, related];
  }
}

/** Writes to the groups and users that the others join or have, until the process is gone. */
async function write(send: Send, groups: readonly string[], users: readonly string[], isOver: () => boolean) {
  while (!isOver()) {
    const group = groups[randomInt(groups.length)];
    const user = users[randomInt(users.length)];
    await send(randomInt(2) === 0 ? 'PUT' : 'DELETE', `/groups/${group}/members/${user}`);
    await send('PATCH', `/users/${user}`, { title: randomUUID() });
    await send('PATCH', `/groups/${group}`, { description: randomUUID() });
  }
}

async function unlessGone(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof Gone)) throw error;
  });
}

async function live(life: Life, send: Send, onTurn: () => void, isOver: () => boolean): Promise<void> {
  await life.resume(send);
  while (!isOver()) {
    await life.turn(send);
    onTurn();
  }
}

/** @param turns deletions with their restorations @param kills of the service, spread over them */
async function restoreUnderKills(turns: number, kills: number, env: Environment): Promise<void> {
  let service = await startProcess({ env });
  const make = async (path: string, name: string) => {
    const send = sender(service, await service.token(scopes));
    return await Promise.all(
      Array.from(
        { length: others },
        async () => (await send('POST', path, { [name]: randomUUID() })).body.id,
      ),
    );
  };
  const [groups, users] = [await make('/groups', 'displayName'), await make('/users', 'userName')];
  const lives = Array.from({ length: callers }, (_, at) =>
    at % 3 === 0 ? new Life('groups', users) : new Life('users', groups),
  );
  let done = 0;
  for (let kill = 1; kill <= kills + 1; kill += 1) {
    const end = Math.ceil((turns * kill) / (kills + 1));
    const isOver = () => done >= end;
    let ended: Promise<unknown> | undefined;
    const onTurn = () => {
      done += 1;
      if (done === end && kill <= kills) ended = service.stop('SIGKILL');
    };
    const send = sender(service, await service.token(scopes));
    // Others go on until they meet the kill, so that it comes at any place of theirs.
    const goesOn = () => kill > kills && isOver();
    await Promise.all([
      ...lives.map((life) => unlessGone(live(life, send, onTurn, goesOn))),
      ...Array.from({ length: writers }, () => unlessGone(write(send, groups, users, goesOn))),
    ]);
    await ended;
    if (kill <= kills) service = await startProcess({ folder: service.folder, env });
  }
  expect(done).to.be.at.least(turns);
}

export const itRestoresUnderKills = (
  turns: number,
  kills: number,
  withEnv: (run: (env: Environment) => Promise<void>) => Promise<void>,
): void => {
  it(`are unchanged after ${turns} deletions and restorations, and ${kills} kills of the service`, () =>
    withEnv((env) => restoreUnderKills(turns, kills, env)).finally(discardProcesses)).timeout(
    caseDeadline * Math.max(2, turns / 25),
  );
};
