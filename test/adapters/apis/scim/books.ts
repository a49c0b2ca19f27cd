/** A kind of resource that the service doesn't have, as another resource type of SCIM. */
import { randomUUID } from 'node:crypto';
import Type from 'typebox';
import { scimApi } from '../../../../src/adapters/apis/scim/index.ts';
import { resourceType } from '../../../../src/adapters/apis/scim/resource/resource-type.ts';
import { defineScimUsers } from '../../../../src/adapters/apis/scim/types/user.ts';
import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import { asIs, oneKey } from '../../../../src/domain/find/filters.ts';
import { defineKind, type Kind } from '../../../../src/domain/kinds/kind.ts';
import { kindsOf, makeKinds } from '../../../../src/domain/kinds.ts';
import { list, objectOf, text, words } from '../../../../src/domain/resource/annotations.ts';
import { idType, Meta } from '../../../../src/domain/resource/resource.ts';
import { resources } from '../../../../src/domain/use-cases/resources.ts';
import { users } from '../../../../src/domain/use-cases/users.ts';
import { settingsOf, startService, type TestService } from '../../../support/service.ts';

export const bookUrn = 'urn:example:scim:Book';
export const shelfUrn = 'urn:example:scim:Shelf';

const writable = {
  title: text(256, 'What is on its cover.', { ...words, sort: 'title', scim: { uniqueness: 'server' } }),
  isbn: Type.Optional(text(20, 'Its number.', { ...words, scim: { caseExact: true } })),
  authors: list('author', 3, text(256)),
  isLent: Type.Optional(Type.Boolean({ description: 'Whether somebody has it.' })),
  shelf: Type.Optional(
    objectOf(
      'Where it stands.',
      { room: Type.Optional(text(64, 'The room.', { ...words, sort: 'room' })) },
      { scim: { extension: shelfUrn } },
    ),
  ),
};
const id = idType('A UUID.');
const Book = Type.Object({ id, ...writable, meta: Meta }, { additionalProperties: false });
const BookInput = Type.Object({ id: Type.Optional(id), ...writable }, { additionalProperties: false });
type Book = Type.Static<typeof Book>;

const lower = (title: string) => title.toLowerCase();

const bookKind = defineKind<Book, Type.Static<typeof BookInput>>({
  name: 'book',
  schema: Book,
  input: BookInput,
  readOnly: ['meta'],
  maxBytes: 16 * 1024,
  unique: { member: 'title', map: lower, version: 1, taken: 'title-taken', findFault: () => undefined },
  filters: {
    title: { keys: ({ title }) => [lower(title)], key: lower },
    isbn: { keys: ({ isbn }) => oneKey(isbn), key: asIs },
  },
});

const bookType = resourceType({
  kind: bookKind as unknown as Kind,
  name: 'Book',
  endpoint: '/Books',
  description: 'A book of the library.',
  schema: { id: bookUrn, name: 'Book', description: 'Book' },
  extensions: { shelf: 'Shelf' },
  filters: { title: 'title', isbn: 'isbn' },
});

/** Of a service whose answers aren't in the published contract. */
export const basePath = '/library';

/** A service whose SCIM has users and books. */
export function startLibrary(): Promise<TestService> {
  const kinds = makeKinds([...kindsOf().all, bookKind as unknown as Kind]);
  const store = memoryStore(kinds);
  const clock = { now: () => new Date() };
  const ids = { id: randomUUID, version: randomUUID };
  const settings = settingsOf({ basePath, scim: { maxScanned: 30 } });
  const api = scimApi({
    types: [
      { type: defineScimUsers(kinds), resources: users(store, clock, ids) },
      { type: bookType, resources: resources({ kind: bookKind, storeFor: () => store, clock, ids }) },
    ],
    ids,
    schemes: ['Bearer'],
    settings,
  });
  return startService(settings, store, undefined, [api]);
}
