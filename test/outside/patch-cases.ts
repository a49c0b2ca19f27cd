/** Users and operations on them, made from few words, so that operations often match. */
import fc from 'fast-check';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { aUser } from '../support/a-user.ts';
import { toResource } from '../support/scim-users.ts';

export const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const own = 'urn:user-management:1:User';

export type Resource = Readonly<Record<string, unknown>>;
export interface PatchOperation {
  readonly op: string;
  readonly path?: string;
  readonly value?: unknown;
}
export interface PatchCase {
  readonly resource: Resource;
  readonly operations: readonly PatchOperation[];
}

const word = fc.constantFrom('ada', 'bob', 'eve');
const type = fc.constantFrom('work', 'home', 'other');
const address = word.map((name) => `${name}@example`);
const some = (members: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(members, { requiredKeys: [] }).filter((value) => Object.keys(value).length > 0);

const email = fc.record(
  { value: address, type, display: word, primary: fc.constant(false) },
  { requiredKeys: ['value'] },
);
const postal = some({ locality: word, region: word, type });
const role = fc.record({ value: word });
const entry = fc.record({ name: word, value: word });
const name = some({ familyName: word, givenName: word });
const manager = some({ value: word, displayName: word });

/** None twice; at most one of a list becomes the primary one. */
const list = <T extends { type?: unknown; value?: unknown }>(item: fc.Arbitrary<T>): fc.Arbitrary<object[]> =>
  fc
    .tuple(
      fc.uniqueArray(item, {
        ...{ maxLength: 3, minLength: 1 },
        selector: (one) => ('value' in one ? `${one.type} ${one.value}` : JSON.stringify(one)),
      }),
      fc.nat(6),
    )
    .map(([items, first]) =>
      items.map((one, at) => (at === first && 'type' in one ? { ...one, primary: true } : one)),
    );
const texts = (item: fc.Arbitrary<{ value: string }>) =>
  fc.uniqueArray(item, { maxLength: 3, minLength: 1, selector: ({ value }) => value });

const user = fc
  .record(
    {
      title: word,
      name,
      emails: list(email),
      addresses: list(postal),
      roles: fc.uniqueArray(word, { minLength: 1 }),
      enterprise: some({ department: word, manager }),
      attributes: some({ ada: word, bob: word, eve: word }),
    },
    { requiredKeys: [] },
  )
  .map((members) => aUser({ id: '0', userName: 'ada', ...(members as Partial<User>) }));

const op = (names: readonly string[]) => fc.constantFrom(...names);
const writes = op(['add', 'replace', 'Add', 'Replace']);
const removes = op(['remove', 'Remove']);

/** What single values, objects and lists are set to, by path. */
const plain: Record<string, fc.Arbitrary<unknown>> = {
  userName: word,
  title: word,
  displayName: word,
  active: fc.boolean(),
  'name.givenName': word,
  [`${enterprise}:department`]: word,
  [`${enterprise}:manager.value`]: word,
};
const objects: Record<string, fc.Arbitrary<unknown>> = { name, [`${enterprise}:manager`]: manager };
const lists: Record<string, fc.Arbitrary<unknown>> = {
  emails: list(email),
  addresses: list(postal),
  roles: texts(role),
  [`${own}:attributes`]: fc.uniqueArray(entry, { maxLength: 2, minLength: 1, selector: (one) => one.name }),
};

const compare = (sub: string, value: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.constantFrom('eq', 'eq', 'eq', 'co', 'sw'), value)
    .map(([operator, text]) => `${sub} ${operator} "${text}"`);
/** Alone, and joined to others. */
const filterOf = (term: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 4, arbitrary: term },
    fc.tuple(term, fc.constantFrom('and', 'or'), term).map((parts) => parts.join(' ')),
    term.map((text) => `not (${text})`),
  );
const emailFilter = filterOf(
  fc.oneof(
    compare('type', type),
    compare('value', address),
    fc.constantFrom('primary eq true', 'display pr'),
  ),
);
const addressFilter = filterOf(fc.oneof(compare('type', type), compare('locality', word)));

/** The paths of items, with what those and their sub-attributes are set to. */
const items: readonly (readonly [fc.Arbitrary<string>, fc.Arbitrary<unknown>])[] = [
  [emailFilter.map((filter) => `emails[${filter}]`), email],
  [emailFilter.map((filter) => `emails[${filter}].value`), address],
  [emailFilter.map((filter) => `emails[${filter}].display`), word],
  [emailFilter.map((filter) => `emails[${filter}].primary`), fc.boolean()],
  [addressFilter.map((filter) => `addresses[${filter}].locality`), word],
  [addressFilter.map((filter) => `addresses[${filter}]`), postal],
  [compare('value', word).map((filter) => `roles[${filter}]`), role],
  [compare('name', word).map((filter) => `${own}:attributes[${filter}].value`), word],
];

const written = (path: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>): fc.Arbitrary<PatchOperation> =>
  fc.record({ op: writes, path, value });
const removed = (path: fc.Arbitrary<string>): fc.Arbitrary<PatchOperation> =>
  fc.record({ op: removes, path });
const ofTable = (table: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof(...Object.entries(table).map(([path, value]) => written(fc.constant(path), value)));

const operation: fc.Arbitrary<PatchOperation> = fc.oneof(
  { weight: 3, arbitrary: ofTable(plain) },
  { weight: 2, arbitrary: ofTable(objects) },
  { weight: 3, arbitrary: ofTable(lists) },
  { weight: 4, arbitrary: fc.oneof(...items.map(([path, value]) => written(path, value))) },
  { weight: 2, arbitrary: fc.oneof(...items.map(([path]) => removed(path))) },
  { weight: 2, arbitrary: removed(fc.constantFrom(...Object.keys({ ...plain, ...objects, ...lists }))) },
  fc.record({ op: removes, path: fc.constant('roles'), value: texts(role) }),
  { weight: 2, arbitrary: fc.record({ op: writes, value: some({ ...plain, emails: list(email) }) }) },
  fc.record({ op: writes, value: some({ ...objects, ...lists }) }),
  fc.record({ op: writes, value: fc.record({ [enterprise]: some({ department: word, manager }) }) }),
);

export const patchCase: fc.Arbitrary<PatchCase> = fc.record({
  resource: user.map((one) => toResource(one, (id) => id)),
  operations: fc.array(operation, { minLength: 1, maxLength: 3 }),
});
