/** Services for recorded exchanges: on each store that persists, with each kind of credentials that an identity provider can keep. */
import { join } from 'node:path';
import { expect } from 'chai';
import { apiKeys } from '../../../../src/adapters/credentials/api-keys/authenticator.ts';
import { addKey } from '../../../../src/adapters/credentials/api-keys/change-keys.ts';
import { bearerAuthenticator } from '../../../../src/adapters/credentials/bearer.ts';
import type { Authenticator } from '../../../../src/domain/ports.ts';
import type { Scope } from '../../../../src/domain/scopes.ts';
import { aDatabase, describeMongo } from '../../../support/mongodb.ts';
import { onAllStores } from '../../../support/runs.ts';
import { aToken, ofSharedSecret, startService, type TestService } from '../../../support/service.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { aFolder, openAt } from '../../stores/sqlite/a-file.ts';
import { Conversation } from './exchanges.ts';

/** As an operator sets it for a provider that calls from outside. */
const publicUrl = 'https://users.example';

interface Credentials {
  /** What the service takes; left out, the tokens of `aToken`. */
  readonly authenticators?: readonly Authenticator[];
  readonly authorization: string;
}

type MakeCredentials = (scopes: readonly Scope[], folder: string) => Credentials | Promise<Credentials>;

function withKey(scopes: readonly Scope[], folder: string) {
  const file = join(folder, 'api-keys.json');
  const secret = addKey(file, { id: 'provider', scopes });
  const { basic, bearer } = apiKeys(
    { file, maxStaleSeconds: 60, onProblem: expect.fail },
    { now: () => new Date() },
  );
  return { authenticators: [bearerAuthenticator(bearer), basic], secret };
}

export const credentialKinds: Readonly<Record<string, MakeCredentials>> = {
  'a token': async (scopes) => ({ authorization: `Bearer ${await aToken(scopes)}` }),
  'an API key as its bearer secret': (scopes, folder) => {
    const { authenticators, secret } = withKey(scopes, folder);
    return { authenticators, authorization: `Bearer provider.${secret}` };
  },
  'an API key by Basic': (scopes, folder) => {
    const { authenticators, secret } = withKey(scopes, folder);
    return { authenticators, authorization: `Basic ${Buffer.from(`provider:${secret}`).toString('base64')}` };
  },
};

interface OpenedStore {
  readonly store: UserStore;
  discard(): Promise<void>;
}

type OpenStore = () => Promise<OpenedStore>;

const openFile: OpenStore = async () => {
  const folder = aFolder();
  return { store: await openAt(join(folder.path, 'users.db')), discard: async () => folder.remove() };
};

const openDatabase: OpenStore = async () => {
  const database = await aDatabase();
  return { store: await database.open(), discard: () => database.drop() };
};

export interface OpenedService {
  readonly service: TestService;
  readonly conversation: Conversation;
  /** The provider's own. */
  readonly authorization: string;
  close(): Promise<void>;
}

/** @param kind a name in `credentialKinds` */
async function openService(open: OpenStore, scopes: readonly Scope[], kind: string): Promise<OpenedService> {
  const folder = aFolder();
  const { store, discard } = await open();
  const make = credentialKinds[kind] ?? expect.fail(`there are no credentials ${kind}`);
  const { authenticators = [ofSharedSecret()], authorization } = await make(scopes, folder.path);
  const service = await startService({ publicUrl }, store, authenticators);
  return {
    service,
    conversation: new Conversation(service.send, authorization, publicUrl),
    authorization,
    close: async () => {
      await service.close();
      await Promise.all(authenticators.map((one) => one.close()));
      await discard();
      folder.remove();
    },
  };
}

/**
 * Holds what the XML client of /users reads, as the provider's credentials let it, against what it should.
 * @param users documents with placeholders, by our own names for the users @throws AssertionError
 */
export async function expectInXml(
  { service, conversation: { placeholders }, authorization: Authorization }: OpenedService,
  users: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [who, wanted] of Object.entries(users)) {
    const path = `/users/${placeholders.value(`id ${who}`)}`;
    const { text } = await service.send(path, { headers: { Accept: 'application/xml', Authorization } });
    expect(text).to.equal(placeholders.learn(wanted, text));
  }
}

/** @param kind of credentials; a token unless told otherwise */
type Open = (scopes: readonly Scope[], kind?: string) => Promise<OpenedService>;

/** Defines the cases for a service with SQLite, and, in a run on all stores, with MongoDB. */
export function onEachStore(define: (open: Open, store: 'SQLite' | 'MongoDB') => void): void {
  const opener =
    (open: OpenStore): Open =>
    (scopes, kind = 'a token') =>
      openService(open, scopes, kind);
  describe('with users in SQLite', () => define(opener(openFile), 'SQLite'));
  if (!onAllStores) return;
  describeMongo('with users in MongoDB', () => {
    // The first case starts the server.
    define(opener(openDatabase), 'MongoDB');
  });
}
