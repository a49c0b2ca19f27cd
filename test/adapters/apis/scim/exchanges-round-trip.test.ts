import { expect } from 'chai';
import fc from 'fast-check';
import { runToEnd } from '../../../../src/adapters/formats/port/format.ts';
import { xml } from '../../../../src/adapters/formats/xml/xml.ts';
import { User } from '../../../../src/domain/kinds/user/user.ts';
import { naming } from '../../../contract/format.ts';
import { runs } from '../../../support/runs.ts';
import type { Answer, TestService } from '../../../support/service.ts';
import { anyUser, largestUser } from '../../../support/users.ts';
import { core, enterprise, type Members, own } from './exchanges.ts';
import { type OpenedService, onEachStore } from './exchanges-services.ts';

const codec = xml.codec<User>(User, naming);

/** What an identity provider would send of a user: written out here, so that the service's own translation is held to it. */
function toScim({ id: _id, meta: _meta, roles, enterprise: work, attributes, ...same }: User): Members {
  const pairs = Object.entries(attributes ?? {}).map(([name, value]) => ({ name, value }));
  return {
    schemas: [core, ...(work === undefined ? [] : [enterprise]), ...(attributes === undefined ? [] : [own])],
    ...same,
    ...(roles === undefined ? {} : { roles: roles.map((value) => ({ value })) }),
    ...(work === undefined ? {} : { [enterprise]: work }),
    ...(attributes === undefined ? {} : { [own]: { attributes: pairs } }),
  };
}

const scimType = 'application/scim+json';
/** Types of /users that a user is read and written back in. */
const types = ['application/json', 'application/xml'];

/** Without what every write changes. */
function withoutVersion({ meta, ...rest }: Members): Members {
  const { lastModified: _time, version: _version, ...stays } = meta as Members;
  return { ...rest, meta: stays };
}

/** One user, through all the ways in and out. */
class RoundTrip {
  readonly #service: TestService;
  readonly #id: string;

  private constructor(service: TestService, id: string) {
    this.#service = service;
    this.#id = id;
  }

  /** By SCIM. */
  static async create(service: TestService, user: User): Promise<RoundTrip> {
    const headers = { 'Content-Type': scimType };
    const body = JSON.stringify(toScim(user));
    const { status, text, json } = await service.send('/scim/v2/Users', { method: 'POST', headers, body });
    expect(status, text).to.equal(201);
    return new RoundTrip(service, json().id);
  }

  async read(type: string): Promise<Answer> {
    const path = type === scimType ? `/scim/v2/Users/${this.#id}` : `/users/${this.#id}`;
    const answer = await this.#service.send(path, { headers: { Accept: type } });
    expect(answer.status, answer.text).to.equal(200);
    return answer;
  }

  async readByScim(): Promise<Members> {
    return JSON.parse((await this.read(scimType)).text) as Members;
  }

  /** Reads it in a type and sends that text back. */
  async writeBack(type: string): Promise<void> {
    const { text, headers: fields } = await this.read(type);
    const path = type === scimType ? `/scim/v2/Users/${this.#id}` : `/users/${this.#id}`;
    const headers = { 'Content-Type': type, 'If-Match': fields.get('etag') ?? '' };
    const answer = await this.#service.send(path, { method: 'PUT', headers, body: text });
    expect(answer.status, answer.text).to.equal(200);
  }

  async remove(): Promise<void> {
    const { status } = await this.#service.send(`/users/${this.#id}`, { method: 'DELETE' });
    expect(status).to.equal(204);
  }
}

async function expectSame(service: TestService, user: User): Promise<void> {
  const trip = await RoundTrip.create(service, user);
  const first = await trip.readByScim();
  const { id, meta, ...shown } = first;
  expect(shown).to.deep.equal(toScim(user));

  const json = JSON.parse((await trip.read('application/json')).text) as User;
  expect(json).to.deep.equal({ ...user, id, meta: json.meta });
  expect(meta).to.include({ created: json.meta.created, lastModified: json.meta.lastModified });
  const read = runToEnd(codec.read(Buffer.from((await trip.read('application/xml')).text)));
  expect(read).to.deep.equal({ value: json, violations: [] });

  for (const type of [...types, scimType]) {
    await trip.writeBack(type);
    expect(withoutVersion(await trip.readByScim()), type).to.deep.equal(withoutVersion(first));
  }
  await trip.remove();
}

describe('A user that SCIM has written', () => {
  onEachStore((open) => {
    let opened: OpenedService;
    before(async () => {
      opened = await open(['users:read']);
    });
    after(() => opened.close());

    it('is equal in JSON and XML, and in SCIM after any of them has written it back', () =>
      fc.assert(
        fc.asyncProperty(anyUser(), (user) => expectSame(opened.service, user)),
        { numRuns: runs(100), examples: [[largestUser()]] },
      ));
  });
});
