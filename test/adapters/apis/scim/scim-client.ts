/** A SCIM client over a real socket, as plain as identity providers are. */
import { expect } from 'chai';
import { bulkUrn, errorUrn, patchUrn } from '../../../../src/adapters/apis/scim/protocol/messages.ts';
import { coreUrn } from '../../../support/scim-users.ts';
import { type Answer, aToken, startService, type TestService } from '../../../support/service.ts';

export const base = '/scim/v2';
export const mediaType = 'application/scim+json';
/** Of nobody. */
export const nobody = '00000000-0000-7000-8000-000000000000';

export type Json = Readonly<Record<string, unknown>>;

export interface Asked {
  readonly method?: string;
  /** An object is sent as JSON. */
  readonly body?: Json | string | Uint8Array | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** All of them, unless told otherwise. */
  readonly scopes?: readonly string[];
  readonly anonymous?: boolean;
}

export type Ask = (path: string, asked?: Asked) => Promise<Answer>;

const isPlain = (body: Asked['body']): body is string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array;

/** @param path below `/scim/v2` */
export const client =
  (service: TestService, root = base): Ask =>
  async (path, { method = 'GET', body, headers = {}, scopes, anonymous = false } = {}) => {
    const token = scopes === undefined ? {} : { authorization: `Bearer ${await aToken(scopes)}` };
    const type = body === undefined ? {} : { 'content-type': mediaType };
    const sent = body === undefined ? {} : { body: isPlain(body) ? body : JSON.stringify(body) };
    return service.send(root + path, {
      method,
      headers: { ...token, ...type, ...headers },
      anonymous,
      ...sent,
    });
  };

/** Within a `describe`: its tests share a service with these settings, and a client of it. */
export function giveScim(
  take: (ask: Ask, service: TestService) => void,
  settings: Parameters<typeof startService>[0] = {},
): void {
  let service: TestService;
  before(async () => {
    service = await startService(settings);
    take(client(service), service);
  });
  after(() => service.close());
}

let made = 0;
/** With a name that no other has. */
export const aUser = (more: Json = {}): Json => {
  made += 1;
  return { schemas: [coreUrn], userName: `user${made}@example.com`, ...more };
};

export async function create(
  ask: Ask,
  more: Json = {},
): Promise<{ readonly id: string; readonly etag: string }> {
  const answer = await ask('/Users', { method: 'POST', body: aUser(more) });
  expect(answer.status, answer.text).to.equal(201);
  return { id: answer.json().id, etag: answer.headers.get('etag') ?? '' };
}

export const patchOf = (...Operations: readonly Json[]): Json => ({ schemas: [patchUrn], Operations });
export const rename = patchOf({ op: 'replace', path: 'displayName', value: 'Ada' });

export const bulkOf = (Operations: readonly unknown[], more: Json = {}): Json => ({
  schemas: [bulkUrn],
  Operations,
  ...more,
});

/** Of one operation of a Bulk. */
export interface Outcome {
  readonly method: string;
  readonly bulkId?: string;
  readonly location?: string;
  readonly version?: string;
  readonly status: string;
  readonly response?: { readonly status: string; readonly scimType?: string; readonly detail: string };
}

export async function bulk(
  ask: Ask,
  operations: readonly unknown[],
  more: Json = {},
  asked: Asked = {},
): Promise<readonly Outcome[]> {
  const answer = await ask('/Bulk', { method: 'POST', body: bulkOf(operations, more), ...asked });
  expect(answer.status, answer.text).to.equal(200);
  return answer.json().Operations as readonly Outcome[];
}

/** Checks the form of an error (RFC 7644 §3.12). @returns its detail */
export function expectError(answer: Answer, status: number, scimType?: string): string {
  expect(answer.status, answer.text).to.equal(status);
  expect(answer.headers.get('content-type')).to.equal(mediaType);
  expect(answer.headers.get('cache-control')).to.equal('no-store');
  const { detail, ...error } = answer.json();
  expect(error).to.deep.equal({
    schemas: [errorUrn],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
  });
  expect(detail).to.be.a('string').and.not.equal('');
  return String(detail);
}
