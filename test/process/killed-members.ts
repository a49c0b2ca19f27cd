import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { patchOf } from '../adapters/apis/scim/scim-client.ts';
import { caseDeadline } from '../support/deadlines.ts';
import { discardProcesses, type Process, startProcess } from '../support/process.ts';

const callers = 50;

/** A user that one caller alone adds and removes. */
interface Member {
  readonly id: string;
  /** As the last answer left it. */
  isMember: boolean;
  /** Sent without an answer. */
  pending?: boolean | undefined;
}

const json = { 'content-type': 'application/json' };

class Client {
  readonly #service: Process;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(service: Process, token: string) {
    this.#service = service;
    this.#headers = { ...json, authorization: `Bearer ${token}` };
  }

  send(path: string, method = 'GET', body?: object): Promise<Response> {
    const more = body === undefined ? {} : { body: JSON.stringify(body) };
    return fetch(this.#service.url + path, { method, headers: this.#headers, ...more });
  }

  async create(path: string, body: object): Promise<string> {
    const answer = await this.send(path, 'POST', body);
    expect(answer.status).to.equal(201);
    return ((await answer.json()) as { id: string }).id;
  }

  async membersOf(group: string): Promise<readonly string[]> {
    const list = (await (await this.send(`/users?group=${group}`)).json()) as { users: { id: string }[] };
    const one = (await (await this.send(`/groups/${group}`)).json()) as { memberCount: number };
    expect(one.memberCount, 'memberCount').to.equal(list.users.length);
    return list.users.map(({ id }) => id);
  }
}

interface Entry {
  readonly type: string;
  readonly added?: readonly string[];
}

/** The user's history: joining and leaving take turns, and the last one led to what is now. */
async function expectHistory(client: Client, { id, isMember }: Member): Promise<void> {
  const answer = await client.send(`/users/${id}/history`);
  const { changes } = (await answer.json()) as { changes: readonly Entry[] };
  const turns = changes.flatMap(({ type, added }) =>
    type === 'group.members-changed' ? [added?.[0] === id] : [],
  );
  expect(turns, 'turns').to.deep.equal(turns.map((_, at) => (at % 2 === 0 ? isMember : !isMember)));
  expect(turns.length > 0 || !isMember, 'a membership without an entry').to.equal(true);
}

type WayToChange = (client: Client, group: string, user: string, isAdded: boolean) => Promise<Response>;

const waysToChange: readonly WayToChange[] = [
  (client, group, user, isAdded) =>
    client.send(`/groups/${group}/members/${user}`, isAdded ? 'PUT' : 'DELETE'),
  (client, group, user, isAdded) =>
    client.send(`/groups/${group}/members`, 'POST', { [isAdded ? 'add' : 'remove']: [user] }),
  (client, group, user, isAdded) =>
    client.send(
      `/scim/v2/Groups/${group}`,
      'PATCH',
      patchOf({ op: isAdded ? 'add' : 'remove', path: 'members', value: [{ value: user }] }),
    ),
];

/** Changes the member in one way after the other, until the process is gone. */
async function change(client: Client, group: string, member: Member, onAnswer: () => void): Promise<void> {
  for (let round = 0; ; round += 1) {
    const wanted = !member.isMember;
    member.pending = wanted;
    const answer = await waysToChange[round % waysToChange.length]?.(client, group, member.id, wanted).catch(
      () => undefined,
    );
    if (answer === undefined) return;
    // Refused while the process ends.
    if (answer.status === 503) continue;
    expect(answer.status).to.equal(204);
    member.isMember = wanted;
    member.pending = undefined;
    onAnswer();
  }
}

/** @param kills how often the service is killed @param changes that are answered before each kill */
export const describeKilledMembers = (kills: number, changes: number) =>
  describe(`A group whose members ${callers} callers change at once`, () => {
    afterEach(discardProcesses);

    it(`has exactly the answered changes after ${kills} kills of the service`, async () => {
      let service = await startProcess();
      const scopes = ['users:write', 'groups:write', 'history:read'];
      let client = new Client(service, await service.token(scopes));
      const group = await client.create('/groups', { displayName: 'All' });
      const members: Member[] = await Promise.all(
        Array.from({ length: callers }, async () => ({
          id: await client.create('/users', { userName: randomUUID() }),
          isMember: false,
        })),
      );
      for (let kill = 0; kill < kills; kill += 1) {
        let answers = 0;
        let ended: Promise<unknown> | undefined;
        const onAnswer = () => {
          answers += 1;
          if (answers === changes) ended = service.stop('SIGKILL');
        };
        await Promise.all(members.map((member) => change(client, group, member, onAnswer)));
        await ended;
        service = await startProcess({ folder: service.folder });
        client = new Client(service, await service.token(scopes));
        const there = new Set(await client.membersOf(group));
        for (const member of members) {
          const possible = [member.isMember, member.pending ?? member.isMember];
          expect(possible).to.include(there.has(member.id));
          member.isMember = there.has(member.id);
          member.pending = undefined;
          await expectHistory(client, member);
        }
      }
    }).timeout(caseDeadline * Math.max(1, (kills * changes) / 1000));
  });
