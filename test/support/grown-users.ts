/** Users as a later release could have them: with members that contract 1.12 does not know. */
import { randomUUID } from 'node:crypto';
import Type, { type TObject } from 'typebox';
import { historyApi, withHistory } from '../../src/adapters/apis/changes/history.ts';
import { changesApi } from '../../src/adapters/apis/changes/index.ts';
import { changesService } from '../../src/adapters/apis/changes/service.ts';
import { defineUsers, usersApi } from '../../src/adapters/apis/users/index.ts';
import { ChangeWatcher } from '../../src/adapters/change-watcher/change-watcher.ts';
import { formats } from '../../src/adapters/formats/index.ts';
import type { Api } from '../../src/adapters/http/pipeline/api.ts';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import { groupKind } from '../../src/domain/kinds/group/kind.ts';
import { defineKind, type Kind } from '../../src/domain/kinds/kind.ts';
import { userKind } from '../../src/domain/kinds/user/kind.ts';
import { User, UserInput } from '../../src/domain/kinds/user/user.ts';
import { type Kinds, makeKinds } from '../../src/domain/kinds.ts';
import type { Authenticator } from '../../src/domain/ports.ts';
import { objectOf, text } from '../../src/domain/resource/annotations.ts';
import type { Store } from '../../src/domain/store.ts';
import { changes } from '../../src/domain/use-cases/feed.ts';
import { resources } from '../../src/domain/use-cases/resources.ts';
import { type GivenSettings, settingsOf, startService, type TestService } from './service.ts';

const since = { since: '1.13' };

/** One in an object that contract 1.12 has, an object as a whole, and a text in front of `meta`. */
function grow(schema: TObject): TObject {
  const { meta, ...others } = schema.properties as Record<string, Type.TSchema>;
  const { properties } = others.name as TObject;
  const grownName = objectOf('The name.', { ...properties, preferred: Type.Optional(text(64, 'x', since)) });
  return Type.Object(
    {
      ...others,
      name: Type.Optional(grownName),
      badge: Type.Optional(
        objectOf('A badge.', { number: text(16), office: Type.Optional(text(64)) }, since),
      ),
      validUntil: Type.Optional(Type.String({ format: 'date-time', ...since })),
      ...(meta && { meta }),
    },
    { additionalProperties: false },
  );
}

const grownKind = defineKind({
  ...userKind,
  schema: grow(User),
  shown: grow(User),
  input: grow(UserInput),
}) as unknown as Kind;

/** Threads of the stores import it: this module names itself. */
export const kindsOf = (): Kinds =>
  makeKinds([grownKind, groupKind as unknown as Kind], { module: import.meta.url });
export const grownKinds = kindsOf();

export const later = {
  name: { preferred: 'Lady L.' },
  badge: { number: '7', office: 'North' },
  validUntil: '2030-01-02T03:04:05.000Z',
};

/** Below `/grown`, since its answers are not those of the published contract. @param store of `grownKinds` */
export function startGrown(
  more: GivenSettings,
  store: Store = memoryStore(grownKinds),
  authenticators?: readonly Authenticator[],
): Promise<TestService> {
  const given = { ...more, basePath: '/grown' };
  const clock = { now: () => new Date() };
  const ids = { id: randomUUID, version: randomUUID };
  const feed = changes(store, grownKinds);
  const watcher = new ChangeWatcher(feed);
  const service = changesService({ kinds: grownKinds, changes: feed, watcher, formats });
  const definition = defineUsers(grownKinds);
  const users = usersApi({
    definition,
    resources: resources({ kind: grownKind, storeFor: () => store, clock, ids }),
    formats,
    settings: settingsOf(given),
  });
  const apis: readonly Api[] = [
    withHistory(users, definition, service),
    changesApi(service),
    historyApi(service),
  ];
  return startService(given, store, authenticators, apis);
}
