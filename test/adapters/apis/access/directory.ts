/** A directory of two departments, and clients that see a part of it. */

import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import { kindsOf } from '../../../../src/domain/kinds.ts';
import { type Answer, type GivenSettings, startService, type TestService } from '../../../support/service.ts';

export const profiles = {
  /** Sees some members of all users, and no groups. */
  phonebook: {
    users: {
      read: [
        ...['userName', 'active', 'displayName', 'name.givenName', 'phoneNumbers', 'title'],
        ...['enterprise.department', 'enterprise.manager.value', 'attributes.desk'],
      ],
      write: ['phoneNumbers'],
    },
  },
  /** Sees the users of one department, and may create users in it. */
  sales: {
    users: {
      where: { department: 'Sales' },
      read: '*',
      except: ['x509Certificates', 'emails', 'attributes.badge'],
      write: ['title', 'phoneNumbers', 'name', 'enterprise.department', 'attributes.desk', 'roles'],
      create: true,
      delete: true,
    },
    groups: { read: '*', write: '*' },
  },
  /** Sees all, groups without their members. */
  names: { users: { read: '*', write: '*', create: true, delete: true }, groups: { read: ['displayName'] } },
  /** Sees and may change everything. */
  whole: {
    users: { read: '*', write: '*', create: true, delete: true },
    groups: { read: '*', write: '*', create: true, delete: true },
  },
} as const;
export type Profile = keyof typeof profiles;

export interface Asked {
  readonly as?: Profile | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text as XML. */
  readonly body?: object | string;
}

/** Answers below it aren't held to the contract (support/answer-check.ts). */
const basePath = '/limited';

export interface Directory {
  readonly service: TestService;
  /** In Sales, with all members that profiles hide. */
  readonly ada: string;
  /** In Sales. */
  readonly ben: string;
  /** In Research. */
  readonly eve: string;
  /** With all three. */
  readonly club: string;
  ask(method: string, path: string, asked?: Asked): Promise<Answer>;
  close(): Promise<void>;
}

const mediaType = (path: string, method: string, body: Asked['body']): string => {
  if (typeof body === 'string') return 'application/xml';
  if (path.startsWith('/scim/')) return 'application/scim+json';
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
};

export async function openDirectory(settings: GivenSettings = {}): Promise<Directory> {
  const service = await startService({ profiles, basePath, ...settings }, memoryStore(kindsOf()));
  const ask: Directory['ask'] = (method, path, { as, headers = {}, body } = {}) =>
    service.send(basePath + path, {
      method,
      ...(as && { as }),
      headers: {
        ...(body === undefined ? {} : { 'content-type': mediaType(path, method, body) }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await ask('POST', path, { body });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.json().id;
  };
  const eve = await made('/users', {
    ...{ userName: 'eve', displayName: 'Eve', enterprise: { department: 'Research' } },
    emails: [{ value: 'eve@example.org' }],
  });
  const ada = await made('/users', {
    ...{ userName: 'ada', displayName: 'Ada', title: 'Head', roles: ['Buyer'], externalId: 'hr-1' },
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ value: 'ada@example.org', type: 'work' }],
    phoneNumbers: [{ value: '+1 202 555 0134' }],
    enterprise: {
      ...{ department: 'Sales', employeeNumber: '7', costCenter: 'cost-9' },
      manager: { value: eve, displayName: 'The manager' },
    },
    attributes: { badge: 'secret-badge', desk: '12' },
  });
  const ben = await made('/users', {
    ...{ userName: 'ben', displayName: 'Ben', enterprise: { department: 'Sales' } },
  });
  const club = await made('/groups', { displayName: 'Club', description: 'Of all' });
  await ask('POST', `/groups/${club}/members`, { body: { add: [ada, ben, eve] } });
  return { service, ada, ben, eve, club, ask, close: () => service.close() };
}

/** Values that the profiles hide. */
export const hiddenValues = /Lovelace|ada@example|hr-1|secret-badge|The manager|cost-9/;

export const scim = '/scim/v2';
export const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const own = 'urn:user-management:1:User';
