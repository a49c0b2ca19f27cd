/** A directory of people who come and go: who is made active or not by SCIM, and who then is by every way of asking. */
import { expect } from 'chai';
import type { TestService } from '../../../support/service.ts';
import { core } from './exchanges.ts';
import type { Way } from './leaver-ways.ts';

const headers = { 'Content-Type': 'application/scim+json' };
const bulkUrn = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

interface Outcome {
  readonly status: number;
  readonly scimType?: string;
}

export class LeaverDirectory {
  readonly #service: TestService;
  #count = 0;

  constructor(service: TestService) {
    this.#service = service;
  }

  newName(): string {
    this.#count += 1;
    return `person-${this.#count}`;
  }

  async #ask(path: string, accept?: string): Promise<string> {
    const { status, text } = await this.#service.send(
      path,
      accept === undefined ? {} : { headers: { accept } },
    );
    expect(status, `${path}: ${text}`).to.equal(200);
    return text;
  }

  async #askJson<T>(path: string): Promise<T> {
    return JSON.parse(await this.#ask(path)) as T;
  }

  /** Makes a user. @returns its id */
  async create(userName: string, active: boolean): Promise<string> {
    const body = JSON.stringify({ schemas: [core], userName, active });
    const { status, json } = await this.#service.send('/scim/v2/Users', { method: 'POST', headers, body });
    expect(status).to.equal(201);
    return json().id;
  }

  /** @param user without an id where one is made @param active whatever stands where the boolean belongs */
  async send(
    way: Omit<Way, 'name'>,
    { userName, id }: { readonly userName: string; readonly id: string | undefined },
    active: unknown,
  ): Promise<Outcome> {
    const path = id === undefined ? '/Users' : `/Users/${id}`;
    const data = way.body(userName, active);
    const { method } = way;
    const operation = { method, path, data };
    const [sent, to, body] = way.isBulk
      ? ['POST', '/Bulk', { schemas: [bulkUrn], Operations: [operation] }]
      : [method, path, data];
    const answer = await this.#service.send(`/scim/v2${to}`, {
      method: sent,
      headers,
      body: JSON.stringify(body),
    });
    const told: unknown = JSON.parse(answer.text);
    return way.isBulk ? outcomeInBulk(told) : { ...(told as Outcome), status: answer.status };
  }

  /** Whether somebody is active, by each way of asking. Undefined where there is no such user. */
  async isActive(userName: string): Promise<readonly boolean[] | undefined> {
    const [found] = (await this.#askJson<Listed>(`/users?userName=${userName}`)).users;
    if (found === undefined) return undefined;
    const filter = (active: boolean) =>
      encodeURIComponent(`userName eq "${userName}" and active eq ${active}`);
    const [json, xml, scim, ...counts] = await Promise.all([
      this.#askJson<Person>(`/users/${found.id}`),
      this.#ask(`/users/${found.id}`, 'application/xml'),
      this.#askJson<Person>(`/scim/v2/Users/${found.id}`),
      ...[true, false].map(async (active) => {
        const { users } = await this.#askJson<Listed>(`/users?userName=${userName}&active=${active}`);
        return users.length === 1 ? active : undefined;
      }),
      ...[true, false].map(async (active) => {
        const { totalResults } = await this.#askJson<Found>(`/scim/v2/Users?filter=${filter(active)}`);
        return totalResults === 1 ? active : undefined;
      }),
    ]);
    return [
      json.active,
      /<active>true<\/active>/.test(xml),
      scim.active,
      ...counts.filter((one) => one !== undefined),
    ];
  }

  /** All that SCIM shows of a user, its version too. */
  show(id: string): Promise<string> {
    return this.#ask(`/scim/v2/Users/${id}`);
  }

  /** Names of all whom a list has that is asked for who is inactive. */
  async namesOfInactive(): Promise<Readonly<Record<'byUsers' | 'byScim', readonly string[]>>> {
    const { users } = await this.#askJson<Listed>('/users?active=false');
    const byUsers = users.map(({ userName }) => userName).sort();
    const byScim: string[] = [];
    for (let startIndex = 1; ; startIndex += 500) {
      const page = `filter=active+eq+false&startIndex=${startIndex}&count=500&attributes=userName`;
      const { Resources } = await this.#askJson<Found>(`/scim/v2/Users?${page}`);
      if (Resources.length === 0) return { byUsers, byScim: byScim.sort() };
      byScim.push(...Resources.map(({ userName }) => userName));
    }
  }
}

interface Person {
  readonly id: string;
  readonly userName: string;
  readonly active: boolean;
}
interface Listed {
  readonly users: readonly Person[];
}
interface Found {
  readonly totalResults: number;
  readonly Resources: readonly Person[];
}

function outcomeInBulk(told: unknown): Outcome {
  interface Operation {
    readonly status: string;
    readonly response?: { readonly scimType?: string };
  }
  const [operation] = (told as { readonly Operations: readonly Operation[] }).Operations;
  const { status, response = {} } = operation ?? expect.fail('no operation was answered');
  return { ...response, status: Number(status) };
}
