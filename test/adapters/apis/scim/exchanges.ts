/** Recorded exchanges with identity providers: what they send, to the letter, and what has to come back, to the member. */
import { expect } from 'chai';
import type { Answer, Request } from '../../../support/service.ts';
import { Placeholders } from './exchanges-placeholders.ts';

export const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const own = 'urn:user-management:1:User';
const message = 'urn:ietf:params:scim:api:messages:2.0';
export const patchOp = `${message}:PatchOp`;

/** Of a JSON object, with placeholders in texts. */
export type Members = Readonly<Record<string, unknown>>;

export interface ExpectedAnswer {
  readonly status: number;
  /** Null for one that must not be there. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The whole of it; left out, there must be none. */
  readonly body?: Members;
  /** Words in the body's `detail`, which is then no part of `body`. */
  readonly says?: string;
  /** Members that are no part of `body` either: they depend on how a service is set up. */
  readonly apart?: readonly string[];
}

export interface Exchange {
  /** What it is for, as the end of a sentence that begins with the provider's name. */
  readonly title: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/scim/v2`, in the provider's own way of encoding it. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** In place of the provider's credentials. */
  readonly authorization?: string;
  readonly answer: ExpectedAnswer;
}

/** @param count of the user's writes up to then */
const metaOf = (who: string, count: number): Members => ({
  resourceType: 'User',
  created: `{{time ${who}.1}}`,
  lastModified: `{{time ${who}.${count}}}`,
  location: `{{url}}/scim/v2/Users/{{id ${who}}}`,
  version: `{{version ${who}.${count}}}`,
});

/**
 * A user's whole resource.
 * @param who a name of our own for the user
 * @param count of the user's writes up to then
 * @param members whatever `schemas` they have; those that are undefined aren't there
 */
export function resource(who: string, count: number, { schemas: _sent, ...members }: Members): Members {
  const there = Object.entries(members).filter(([, value]) => value !== undefined);
  const extensions = there.flatMap(([name]) => (name.startsWith('urn:') ? [name] : []));
  const schemas = [core, ...extensions];
  return { schemas, id: `{{id ${who}}}`, ...Object.fromEntries(there), meta: metaOf(who, count) };
}

/** @param given as for `resource` */
export function userAnswer(status: 200 | 201, ...given: Parameters<typeof resource>): ExpectedAnswer {
  const [who, count] = given;
  const headers = {
    etag: `{{version ${who}.${count}}}`,
    location: status === 201 ? `{{url}}/scim/v2/Users/{{id ${who}}}` : null,
  };
  return { status, headers, body: resource(...given) };
}

export const listAnswer = (
  resources: readonly Members[],
  { startIndex = 1, totalResults = resources.length } = {},
): ExpectedAnswer => ({
  status: 200,
  body: {
    schemas: [`${message}:ListResponse`],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  },
});

/** @param says words in the detail */
export const refusalAnswer = (status: number, says: string, scimType?: string): ExpectedAnswer => ({
  status,
  body: {
    schemas: [`${message}:Error`],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
  },
  says,
});

export const deletedAnswer: ExpectedAnswer = { status: 204, headers: { etag: null } };

/** A user as the old XML client reads it. @param members elements between `id` and `meta` */
export function userXml(who: string, count: number, members: readonly string[]): string {
  const meta = [
    `<created>{{time ${who}.1}}</created>`,
    `<lastModified>{{time ${who}.${count}}}</lastModified>`,
    `<version>{{opaque ${who}.${count}}}</version>`,
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?><user xmlns="urn:user-management:1">',
    ...[`<id>{{id ${who}}}</id>`, ...members, '<meta>', ...meta, '</meta></user>'],
  ].join('');
}

export const patchBody = (...Operations: readonly Members[]): Members => ({ schemas: [patchOp], Operations });

/** One provider's conversation with one service. */
export class Conversation {
  readonly placeholders: Placeholders;
  readonly #send: (path: string, request: Request) => Promise<Answer>;
  readonly #authorization: string;

  /** @param url as links in answers begin with it */
  constructor(send: Conversation['send'], authorization: string, url: string) {
    this.#send = send;
    this.#authorization = authorization;
    this.placeholders = new Placeholders({ url });
  }

  get send(): (path: string, request: Request) => Promise<Answer> {
    return this.#send;
  }

  /** Sends it, and holds the answer against what is expected. @throws AssertionError */
  async play({ method, path, headers, body, authorization, answer }: Exchange): Promise<void> {
    const text = body === undefined ? undefined : JSON.stringify(this.placeholders.fill(body));
    const got = await this.#send(`/scim/v2${this.placeholders.fill(path)}`, {
      method,
      headers: { ...headers, Authorization: authorization ?? this.#authorization },
      ...(text === undefined ? {} : { body: text }),
    });
    expect(got.status, got.text).to.equal(answer.status);
    this.#checkBody(got, answer);
    for (const [name, wanted] of Object.entries(answer.headers ?? {})) {
      const value = got.headers.get(name);
      expect(value, name).to.equal(this.placeholders.learn(wanted, value));
    }
  }

  #checkBody({ text, headers }: Answer, { body, says, apart = [] }: ExpectedAnswer): void {
    if (body === undefined) {
      expect(text).to.equal('');
      return;
    }
    expect(headers.get('content-type')).to.equal('application/scim+json');
    const whole = JSON.parse(text) as Members;
    const left = says === undefined ? apart : [...apart, 'detail'];
    const got = Object.fromEntries(Object.entries(whole).filter(([name]) => !left.includes(name)));
    if (says !== undefined) expect(whole.detail).to.contain(says);
    expect(got).to.deep.equal(this.placeholders.learn(body, got));
  }
}
