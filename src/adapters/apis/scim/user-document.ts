/** A user as this API shows and takes it, for the contract: made from the user's one schema. */
import Type, { type TObject, type TSchema } from 'typebox';
import { User } from '../../../domain/user.ts';
import type { BodyType, DocumentType } from '../../http/api.ts';
import { coreUrn, extensions, ownUrn } from './resource/attributes.ts';
import { type Member, members } from './resource/members.ts';

type Properties = Readonly<Record<string, TSchema>>;

const optional = Type.Optional;
const text = (description: string) => Type.String({ description });

/** `schemas` of a message or resource. */
export const schemasOf = (...urns: readonly string[]) =>
  Type.Array(Type.String({ format: 'uri' }), {
    ...{ item: 'schema', minItems: 1, contains: Type.Literal(urns[0] ?? '') },
    description: `The schemas of which it has attributes: ${urns.join(', ')}.`,
  });

const properties = User.properties as unknown as Properties;
const without = (schema: TSchema, ...keywords: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !keywords.includes(name)));

/** A list of bare texts, as SCIM has it. */
function textsAsValues(name: string, schema: TSchema): TSchema {
  const { items } = schema as unknown as { readonly items: TSchema };
  const value = Type.Object(
    { value: items },
    { title: `${name.charAt(0).toUpperCase()}${name.slice(1, -1)}` },
  );
  return Type.Array(value, { ...without(schema, 'items', 'type', 'uniqueItems'), item: 'value' });
}

interface MapShape {
  readonly patternProperties: Properties;
  readonly maxProperties: number;
  readonly description?: string;
}

/** A map with names of the client's own, as SCIM has it. */
function mapAsPairs(name: string, schema: TSchema): TSchema {
  const { patternProperties, maxProperties, description = '' } = schema as unknown as MapShape;
  const [[pattern, value] = ['', Type.String()]] = Object.entries(patternProperties);
  const members = { name: Type.String({ pattern, description: 'Its name.' }), value };
  const pair = Type.Object(members, { title: 'OwnAttribute' });
  const pairs = Type.Array(pair, { item: 'attribute', maxItems: maxProperties });
  return Type.Object({ [name]: optional(pairs) }, { title: 'OwnAttributes', description });
}

function schemaOf({ name, form }: Member): TSchema {
  const schema = properties[name] as TSchema;
  if (form === 'texts') return textsAsValues(name, schema);
  if (form === 'map') return mapAsPairs(name, schema);
  // Otherwise it would be called by the URN that it stands under.
  return form === 'extension' ? { ...schema, title: 'Enterprise' } : schema;
}

/** With nothing that must be there: `attributes` may ask for some sub-attributes alone. */
function asShown(schema: TSchema): TSchema {
  const { properties: members, items } = schema as {
    readonly properties?: Properties;
    readonly items?: TSchema;
  };
  const rest = without(schema, 'type', 'properties', 'required', 'items');
  if (items !== undefined) return Type.Array(asShown(items), rest);
  if (members === undefined) return schema;
  const shown = Object.entries(members).map(([name, member]) => [name, optional(asShown(member))]);
  return Type.Object(Object.fromEntries(shown), rest);
}

const urns: readonly string[] = [coreUrn, ...[...extensions.values()].map(({ id }) => id), ownUrn];

const attributes: Properties = Object.fromEntries(
  members.map((member) => [member.urn ?? member.name, optional(schemaOf(member))]),
);

const Meta = Type.Object(
  {
    resourceType: Type.Literal('User'),
    created: Type.String({ format: 'date-time' }),
    lastModified: Type.String({ format: 'date-time' }),
    location: Type.String({ format: 'uri-reference' }),
    version: text('The same text as the ETag.'),
  },
  { readOnly: true, description: 'What the service knows of the user.' },
);

const naming = { one: 'user', many: 'Resources', namespace: coreUrn };

const exampleInput = {
  schemas: urns.slice(0, 1),
  externalId: '00uhr1815',
  userName: 'ada@example.com',
  name: { familyName: 'Lovelace', givenName: 'Ada' },
  displayName: 'Ada Lovelace',
  active: true,
  emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
  roles: [{ value: 'engineer' }],
};

const location = '/scim/v2/Users/019b7c5a-3f6e-7c3a-8a52-0d6f4e1b9c10';

export const userResource: DocumentType = {
  name: 'User',
  // Which of the others are there, `attributes` and `excludedAttributes` decide.
  schema: Type.Object(
    {
      ...{ schemas: schemasOf(...urns), id: properties.id as TSchema },
      ...Object.fromEntries(Object.entries(attributes).map(([name, one]) => [name, optional(asShown(one))])),
      meta: optional(asShown(Meta)),
    },
    { description: 'A user (RFC 7643 §4.1), with what was asked for.' },
  ) as unknown as TObject,
  naming,
  example: {
    ...exampleInput,
    id: '019b7c5a-3f6e-7c3a-8a52-0d6f4e1b9c10',
    meta: {
      resourceType: 'User',
      created: '2026-01-02T03:04:05.678Z',
      lastModified: '2026-01-02T03:04:05.678Z',
      location,
      version: '"PyVbq3y8nqHSLmyZVxkN3Q.scim1"',
    },
  },
};

const { userName: _required, ...others } = attributes;

export const userBody: BodyType = {
  name: 'UserInput',
  kind: 'whole',
  schema: Type.Object({
    schemas: schemasOf(...urns),
    userName: properties.userName as TSchema,
    ...others,
  }) as unknown as TObject,
  naming,
  ignores: ['id', 'meta', 'groups'],
  description:
    'A user as an identity provider sends it. Beyond this schema: names of attributes may come in any case of letters and with their URN in front, booleans as texts, and one text in the place of a typed value or of the manager.',
  example: exampleInput,
};
