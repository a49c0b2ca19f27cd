/**
 * The bodies that this API takes, as JSON Schema for the contract: what read-resource.ts and the domain take together. Names stand as
 * the standards write them; that they may come in any case of letters, and with their URN in front, no schema can say.
 */
import type { TSchema } from 'typebox';
import { keywordsOf, typeNameOf } from '../../contracts/names.ts';
import { textSchemaOf } from '../../contracts/request-schema.ts';
import type { BodyType } from '../../http/api.ts';
import { coreUrn, schemas } from './resource/attributes.ts';
import { userBody } from './user-document.ts';

type Schema = Readonly<Record<string, unknown>>;

/** As TypeBox has it. */
interface Part {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly items?: TSchema;
  /** What an item is called. */
  readonly item?: string;
}

const none: Schema = { $ref: '#/components/schemas/None' };
const noneSchema: Schema = {
  description: 'Says that there is no value.',
  anyOf: [{ type: 'null' }, { type: 'string', const: '' }, { type: 'array', maxItems: 0 }],
};

const anyCase = (...words: readonly string[]): string => {
  const patterns = words.map((word) =>
    word.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`),
  );
  return `^(?:${patterns.join('|')})$`;
};

const closed = (properties: Schema, required: readonly string[], description?: string): Schema => ({
  type: 'object',
  ...(description === undefined ? {} : { description }),
  properties,
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
});

const withMembers = (names: readonly string[], schema: Schema): Schema =>
  Object.fromEntries(names.map((name) => [name, schema]));

/** By the name of the object's schema: what is taken there and not kept. */
const ignoredWithin: Readonly<Record<string, readonly string[]>> = {
  Role: ['display', 'type', 'primary', '$ref'],
  Manager: ['$ref'],
};
const ignored: Schema = { description: 'Ignored.' };

/** The schema of a value, and those that it refers to. */
class ValueSchemas {
  readonly all: Record<string, Schema> = { None: noneSchema };

  /** @param name of the member or item */
  add(schema: TSchema, name: string): Schema {
    const { type, properties, items, item = name } = schema as Part;
    if (items !== undefined) return this.#list(schema, this.add(items, item));
    if (properties !== undefined)
      return { anyOf: [...this.#objects(typeNameOf(schema, name), schema as Part), none] };
    if (type !== 'boolean') return { anyOf: [textSchemaOf(schema, name), none] };
    return {
      anyOf: [keywordsOf(schema), { type: 'string', pattern: anyCase('true', 'false') }, { type: 'null' }],
    };
  }

  #list(schema: TSchema, items: Schema): Schema {
    const { title: _one, ...keywords } = keywordsOf(schema, ['minItems', 'uniqueItems']);
    return { anyOf: [{ ...keywords, items }, { type: 'null' }, { type: 'string', const: '' }] };
  }

  /** The object; one whose members all say that there is no value; and a bare text in its place. */
  #objects(name: string, { properties = {}, required = [], description }: Part): Schema[] {
    const own = Object.entries(properties).map(([member, schema]): [string, Schema] => [
      member,
      required.includes(member) ? textSchemaOf(schema, member) : this.add(schema, member),
    ]);
    const beside = ignoredWithin[name] ?? [];
    const all = { ...Object.fromEntries(own), ...withMembers(beside, ignored) };
    this.all[`${name}Input`] = closed(all, required, description);
    const { value } = properties;
    const booleans = withMembers(
      Object.keys(properties).filter((member) => (properties[member] as Part).type === 'boolean'),
      { type: 'null' },
    );
    const isBare = value !== undefined && required.every((name) => name === 'value');
    return [
      { $ref: `#/components/schemas/${name}Input` },
      ...(required.length > 0 ? [closed({ ...withMembers(Object.keys(all), none), ...booleans }, [])] : []),
      ...(isBare ? [textSchemaOf(value, 'value')] : []),
    ];
  }
}

const urnsOf = (urn: string, ...others: readonly string[]): Schema => ({
  type: 'array',
  ...(others.length === 0 ? {} : { items: { type: 'string', enum: [urn, ...others] } }),
  contains: { const: urn },
});

function describeUser({ schema, ignores, description = '' }: BodyType): Readonly<Record<string, Schema>> {
  const { schemas: _urns, userName, ...attributes } = schema.properties as Record<string, TSchema>;
  const values = new ValueSchemas();
  const properties = {
    schemas: urnsOf(coreUrn, ...schemas.map(({ id }) => id).filter((id) => id !== coreUrn)),
    userName: textSchemaOf(userName as TSchema, 'userName'),
    ...Object.fromEntries(Object.entries(attributes).map(([name, one]) => [name, values.add(one, name)])),
    ...withMembers(ignores, ignored),
    password: { description: 'Ignored in a POST; in a PUT it must say that there is no value.' },
  };
  return { ...values.all, UserInput: closed(properties, ['schemas', 'userName'], description) };
}

type Named = Record<string, Schema>;

/** Members of messages may be null where they may be left out. @param to takes the objects that have names */
function describePart(schema: TSchema, to: Named): Schema {
  const { properties, required = [], items, title, description } = schema as Part;
  if (items !== undefined) return { ...keywordsOf(schema), items: describePart(items, to) };
  if (properties === undefined) return keywordsOf(schema);
  const members = Object.entries(properties).map(([name, member]): [string, Schema] => {
    const own = describePart(member, to);
    return [name, required.includes(name) || !('type' in own) ? own : { anyOf: [own, { type: 'null' }] }];
  });
  const described = closed(Object.fromEntries(members), required, description);
  if (title === undefined) return described;
  to[title] = described;
  return { $ref: `#/components/schemas/${title}` };
}

function describeMessage({ name, schema, naming }: BodyType): Readonly<Named> {
  const named: Named = {};
  const { properties, ...described } = describePart(schema, named);
  return {
    ...named,
    [name]: { ...described, properties: { ...Object(properties), schemas: urnsOf(naming.namespace) } },
  };
}

/** @returns by name, the body's own among them */
export const describeBody = (body: BodyType): Readonly<Record<string, Schema>> =>
  body.name === userBody.name ? describeUser(body) : describeMessage(body);
