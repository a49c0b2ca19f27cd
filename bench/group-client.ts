/** A caller of the service, with the groups that are measured. */
import type { Headers } from './credentials.ts';
import { idOf } from './directory.ts';

/** When the groups are made: a busy MongoDB may take longer over more than a request may. */
const idsInChange = 1000;

/** A tenth of all users, who differ from those of a name (directory.ts): a tenth of the members have a name that a tenth of all have. */
const isMember = (at: number): boolean => at % 10 === Math.floor(at / 10) % 10;

function* numbersOf(users: number, isWanted: (at: number) => boolean): Generator<number, void> {
  for (let at = 0; at < users; at += 1) if (isWanted(at)) yield at;
}

const groupsOfOne = 100;

export class GroupClient {
  readonly #url: string;
  readonly #headers: Headers;
  readonly #users: number;
  #outsider = 0;
  /** With a tenth of all users. */
  large = '';
  /** With ten. */
  small = '';
  /** With none. */
  empty = '';
  /** A user in `groupsOfOne` groups, and one in none. */
  readonly joined: string;
  readonly alone: string;

  private constructor(url: string, headers: Headers, users: number) {
    [this.#url, this.#headers, this.#users] = [url, headers, users];
    [this.joined, this.alone] = [this.outsider(), this.outsider()];
  }

  /** Makes the groups. */
  static async create(url: string, headers: Headers, users: number): Promise<GroupClient> {
    const client = new GroupClient(url, headers, users);
    [client.large, client.small, client.empty] = [
      await client.#createGroup('Large'),
      await client.#createGroup('Small'),
      await client.#createGroup('Empty'),
    ];
    const members = [...numbersOf(users, isMember)].map(idOf);
    for (let from = 0; from < members.length; from += idsInChange)
      await client.change(client.large, { add: members.slice(from, from + idsInChange) });
    await client.change(client.small, { add: members.slice(0, 10) });
    for (let at = 0; at < groupsOfOne; at += 1)
      await client.change(await client.#createGroup(`Team ${at}`), { add: [client.joined] });
    return client;
  }

  async send(method: string, path: string, body?: object): Promise<string> {
    const type = path.startsWith('/scim/') ? 'application/scim+json' : 'application/json';
    const answer = await fetch(this.#url + path, {
      method,
      headers: { ...this.#headers, accept: type, ...(body && { 'content-type': type }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}: ${text.slice(0, 500)}`);
    return text;
  }

  get = (path: string): Promise<string> => this.send('GET', path);

  async #createGroup(displayName: string): Promise<string> {
    return JSON.parse(await this.send('POST', '/groups', { displayName })).id;
  }

  /** Another user each time who is in no group. */
  outsider(): string {
    do this.#outsider += 1;
    while (isMember(this.#outsider));
    if (this.#outsider >= this.#users) throw new Error('there are too few users');
    return idOf(this.#outsider);
  }

  outsiders = (count: number): readonly string[] => Array.from({ length: count }, () => this.outsider());

  change = (
    group: string,
    change: { add?: readonly string[]; remove?: readonly string[] },
  ): Promise<string> => this.send('POST', `/groups/${group}/members`, change);

  add = (group: string, user: string): Promise<string> =>
    this.send('PUT', `/groups/${group}/members/${user}`);

  /** As identity providers do. */
  patch = (group: string, user: string): Promise<string> =>
    this.send('PATCH', `/scim/v2/Groups/${group}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'Add', path: 'members', value: [{ value: user }] }],
    });

  async #countOf(group: string): Promise<number> {
    return JSON.parse(await this.get(`/groups/${group}`)).memberCount;
  }

  /** @throws Error when PATCHes that are sent at once to one group lose a member */
  async assertNothingLost(): Promise<string> {
    const before = await this.#countOf(this.large);
    const added = this.outsiders(50);
    await Promise.all(added.map((user) => this.patch(this.large, user)));
    const count = (await this.#countOf(this.large)) - before;
    if (count !== added.length) throw new Error(`${added.length} PATCHes at once added ${count} members`);
    return `${added.length} PATCHes at once to the large group: none is lost`;
  }
}
