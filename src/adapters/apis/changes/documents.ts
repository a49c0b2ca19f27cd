/** The schemas of changes: of the feed, and with values for histories. */
import type { TObject, TSchema } from 'typebox';
import * as Type from 'typebox';
import { type Actor, changeTypesOf, type Entry, maxMemberships } from '../../../domain/changes/change.ts';
import { printCursor } from '../../../domain/changes/log.ts';
import { mergeDeclared } from '../../../domain/kinds/attributes/schema.ts';
import type { Kind } from '../../../domain/kinds/kind.ts';
import type { Kinds } from '../../../domain/kinds.ts';
import { replaceForeignCharacters } from '../../../domain/validation/schema-validator.ts';
import { capitalize } from '../../contracts/names.ts';
import { shapeOf } from '../../formats/port/schema-shapes.ts';
import type { DocumentType } from '../../http/pipeline/api.ts';
import { exampleId, namespace } from '../resources/definition.ts';

type Members = Readonly<Record<string, TSchema>>;

/** A change may lack any member of an object or a map; a list is always whole. */
function partOf(name: string, schema: TSchema): TSchema {
  const kind = shapeOf(schema);
  if (kind.is === 'map') return Type.Optional({ ...schema, minProperties: 0 });
  if (kind.is !== 'object') return Type.Optional(schema);
  const { description = '' } = schema as { description?: string };
  const title = `Changed${capitalize(name)}`;
  return Type.Optional(Type.Object(partsOf(kind.members), { title, description }));
}

const partsOf = (members: ReadonlyMap<string, TSchema>): Members =>
  Object.fromEntries([...members].map(([name, schema]) => [name, partOf(name, schema)]));

/**
 * Merges the schemas of a member that several kinds have: they must be equal, both texts, or both maps.
 * @throws Error for others, which formats could not print
 */
function merge(name: string, one: TSchema | undefined, other: TSchema): TSchema {
  if (one === undefined || JSON.stringify(one) === JSON.stringify(other)) return other;
  if ('entry' in one && 'entry' in other) return Type.Optional(mergeDeclared(one, other));
  const isText = (schema: TSchema): boolean => 'type' in schema && schema.type === 'string';
  if (!isText(one) || !isText(other)) throw new Error(`two kinds have a member ${name}, of different types`);
  return Type.Optional(Type.String({ description: 'As the resource has it.' }));
}

/**
 * The changed values of a resource of any kind: one schema for all kinds, so that clients need one type for histories.
 * @param title of the schema
 */
function changedValues(kinds: readonly Kind[], title: string): TObject {
  const all: Record<string, TSchema> = {};
  for (const { schema, unlogged } of kinds) {
    const { id: _, meta: __, ...content } = schema.properties as Members;
    for (const [name, member] of Object.entries(content))
      if (!unlogged.includes(name)) all[name] = merge(name, all[name], member);
  }
  return Type.Object(partsOf(new Map(Object.entries(all))), {
    title,
    description: 'The part of a user or a group that `changed` names; absent members are left out.',
  });
}

const Person = Type.Object(
  {
    issuer: Type.String({ description: 'The issuer of the token.' }),
    subject: Type.String({ description: 'The subject, as the issuer names the person.' }),
  },
  { description: 'The person on whose behalf the client acts.' },
);

export const Author = Type.Object(
  {
    client: Type.String({ description: 'The id of an API key, or the client of a token.' }),
    person: Type.Optional(Person),
  },
  { title: 'Author', description: 'Who made the change.' },
);

const ids = (description: string) => Type.Optional(Type.Array(Type.String(), { item: 'id', description }));

const changeSchema = (kinds: readonly Kind[]): TObject =>
  Type.Object(
    {
      cursor: Type.String({ description: 'The place of the change; `since` takes it.' }),
      type: Type.String({ description: 'The kind of resource and what was done: `user.created`.' }),
      id: Type.String({ description: 'The id of the resource.' }),
      version: Type.Optional(
        Type.String({
          description:
            'The version of the resource after the change; none after a deletion. Of a group: `meta.version`, a dot, and a number that grows with each change of its members.',
        }),
      ),
      at: Type.String({
        format: 'date-time',
        description: 'When it was written. Clocks differ: the order of changes is that of the list.',
      }),
      by: Author,
      via: Type.String({
        description:
          'How it was written: `users`, `groups`, `scim`, `import`, `copy`, `command` or `validity`.',
      }),
      request: Type.Optional(Type.String({ description: 'The X-Request-Id of the request.' })),
      label: Type.Optional(
        Type.String({
          description:
            'The userName or displayName at that time, of a group also with changes of its members. In histories only, and gone once the resource was erased, as are `before` and `after`.',
        }),
      ),
      changed: Type.Optional(
        Type.Array(Type.String(), {
          item: 'pointer',
          description:
            'JSON Pointers (RFC 6901) to what an update has changed: lists as a whole, and so attributes, whose names only histories have, until the resource is erased.',
        }),
      ),
      added: ids(
        'Ids of users that became members of the group. The history of a user has only this id of them, here and in `removed`.',
      ),
      removed: ids('Ids of users that ceased to be members.'),
      whole: Type.Optional(
        Type.Boolean({
          description:
            'All members were replaced: the group has those of `added`, here and in the next changes of the same request, and no others.',
        }),
      ),
      memberships: ids(
        `Of a deletion: the ids of the user's groups, or of the group's members, at that time. In histories only; left out if there were more than ${maxMemberships}, and once the resource was erased.`,
      ),
      before: Type.Optional(changedValues(kinds, 'ValuesBefore')),
      after: Type.Optional(changedValues(kinds, 'ValuesAfter')),
    },
    { description: 'A change of a user, a group or its members.' },
  );

/** The members of a page beside its changes. */
const Page = Type.Object({
  next: Type.String({
    description: 'The start of the next page: `since` of the feed, `after` of a history. Always present.',
  }),
  more: Type.Boolean({ description: 'Whether more changes follow already.' }),
});

const example = {
  cursor: 'mDk3Zs0Q.42.Vw8tq1Cz',
  type: 'user.updated',
  id: exampleId,
  version: 'PyVbq3y8nqHSLmyZVxkN3Q',
  at: '2026-01-02T03:04:05.678Z',
  by: { client: 'console', person: { issuer: 'https://login.example.com', subject: '8f0c3f6e' } },
  via: 'users',
  request: '6f0d9d5e-3c3f-4a52-9a39-0f9f9c1c7d11',
  changed: ['/title', '/name/familyName'],
};

const exampleValues = {
  label: 'ada',
  before: { name: { familyName: 'Byron' } },
  after: { name: { familyName: 'Lovelace' }, title: 'Countess' },
};

export interface ChangeDocuments {
  /** Covers feed and histories: entries of the feed lack the members for values. */
  readonly schema: TObject;
  readonly feed: DocumentType;
  readonly history: DocumentType;
  /** All types of changes of these kinds. */
  readonly types: readonly string[];
}

export function changeDocuments({ all }: Kinds): ChangeDocuments {
  const schema = changeSchema(all);
  const feed: DocumentType = {
    name: 'Changes',
    schema,
    naming: { one: 'change', many: 'changes', namespace },
    isList: true,
    beside: Page,
    description: 'Changes, in the order of the writes; in histories the newest first.',
    example,
    besideExample: { next: example.cursor, more: false },
  };
  return {
    schema,
    feed,
    history: { ...feed, example: { ...example, ...exampleValues } },
    types: changeTypesOf(all),
  };
}

/** Names from credentials may have any characters. */
const nameOf = replaceForeignCharacters;

/** As `Author` describes it. */
export const toAuthor = ({ client, person }: Pick<Actor, 'client' | 'person'>): object => ({
  client: nameOf(client),
  ...(person && { person: { issuer: nameOf(person.issuer), subject: nameOf(person.subject) } }),
});

export function toChangeDocument(
  { number, mark, access, inside, at, by, values, ...entry }: Entry,
  line: string,
): object {
  const { via, request } = by;
  const { kept, ...shown } = values ?? {};
  return {
    cursor: printCursor({ line, number, mark, ...(access !== undefined && { access }) }),
    ...entry,
    at: new Date(at).toISOString(),
    by: toAuthor(by),
    via,
    ...(request !== undefined && { request }),
    ...shown,
  };
}
