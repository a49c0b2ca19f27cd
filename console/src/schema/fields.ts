/** The fields of a resource, made from its schema, for forms, columns and comparisons. */
import { texts } from '../texts/texts.ts';
import type { KindName } from './kinds.ts';
import { wordsOf } from './words.ts';

/** The parts of a published JSON Schema that forms need. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly readOnly?: boolean;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly enum?: readonly unknown[];
  /** Of a declared attribute. */
  readonly 'x-values'?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly contains?: Schema;
  readonly maxContains?: number;
  readonly 'x-labels'?: Readonly<Record<string, string>>;
  readonly 'x-type'?: string;
  readonly 'x-filter'?: boolean;
  readonly 'x-sort'?: boolean;
  readonly 'x-unique'?: boolean;
}

interface Common {
  /** The name of the member, or for an item of a list the name of the item. */
  readonly name: string;
  /** Begins at the resource: `name.familyName`; members of list items have no index: `emails.value`. */
  readonly path: string;
  readonly label: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** Only the service sets it. */
  readonly isReadOnly: boolean;
  /** The access profile shows it, and does not let it be changed. */
  readonly isLocked: boolean;
  /** Whether it is declared, and lists can be filtered or sorted by its path. */
  readonly isFilter: boolean;
  readonly isSorted: boolean;
  /** Whether it is declared, and no other resource may have its value. */
  readonly isUnique: boolean;
}
export interface TextField extends Common {
  readonly kind: 'text';
  readonly isLong: boolean;
  readonly isTime: boolean;
  /** Of a declared attribute, such as `user`; empty for other fields. */
  readonly type: string;
  /** In code points. */
  readonly maxLength: number;
  /** The only allowed values; empty: any value. */
  readonly choices: readonly string[];
}
export interface NumberField extends Common {
  readonly kind: 'number';
}
export interface FlagField extends Common {
  readonly kind: 'flag';
}
export interface GroupField extends Common {
  readonly kind: 'group';
  readonly fields: readonly Field[];
}
/**
 * A `map` is texts by name: its items are groups of `name` and `value`. In a group, a map without a name has the members for which the group has
 * no field: undeclared attributes.
 */
export interface ListField extends Common {
  readonly kind: 'list' | 'map';
  readonly item: Field;
  readonly maxItems: number;
  /** The flag that at most one item has set. */
  readonly exclusive: string | undefined;
}
export type Field = TextField | NumberField | FlagField | GroupField | ListField;

/** A flag with words of its own. */
export const isStatus = (field: Field | undefined): boolean =>
  field?.kind === 'flag' && field.path === 'active';

/** A declared attribute. */
export const isUserId = (field: Field | undefined): boolean =>
  field?.kind === 'text' && field.type === 'user';

/** In code points: longer texts get several lines. Texts with a pattern are usually one word, such as an address, and must be longer for this. */
const longText = { ofWords: 400, ofPattern: 4000 };

const isLong = ({ maxLength = 0, pattern }: Schema): boolean =>
  maxLength > (pattern === undefined ? longText.ofWords : longText.ofPattern);

function resolve(schema: Schema, root: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.replace('#/$defs/', '');
  const { $ref: _reference, ...own } = schema;
  return { ...resolve(root.$defs?.[name] ?? {}, root), ...own };
}

const exclusiveOf = ({ contains, maxContains }: Schema): string | undefined =>
  maxContains === 1
    ? Object.entries(contains?.properties ?? {}).find(([, member]) => member.const === true)?.[0]
    : undefined;

/** The place of a field in the schema. */
interface Place {
  readonly kind: KindName;
  readonly root: Schema;
  readonly path: string;
}

function readMembers(schema: Schema, { path, ...place }: Place): readonly Field[] {
  const required = schema.required ?? [];
  return Object.entries(schema.properties ?? {}).map(([name, member]) =>
    readField(name, required.includes(name), member, {
      ...place,
      path: path === '' ? name : `${path}.${name}`,
    }),
  );
}

function readList(common: Common, itemLabel: string, schema: Schema, place: Place): ListField {
  const items = { ...schema.items, 'x-type': schema['x-type'] ?? '' };
  const item = { ...readField('', true, items, place), label: itemLabel };
  return {
    ...common,
    kind: 'list',
    item,
    maxItems: schema.maxItems ?? Number.POSITIVE_INFINITY,
    exclusive: exclusiveOf(schema),
  };
}

function readText(common: Common, schema: Schema): TextField {
  return {
    ...common,
    kind: 'text',
    isLong: isLong(schema),
    isTime: schema.format === 'date-time',
    type: schema['x-type'] ?? '',
    maxLength: schema.maxLength ?? Number.POSITIVE_INFINITY,
    choices:
      schema.type === 'boolean' ? ['true', 'false'] : (schema.enum ?? schema['x-values'] ?? []).map(String),
  };
}

function readMap(common: Common, label: string, { maxProperties }: Schema): ListField {
  const own = { ...common, description: '', isRequired: false };
  const fields = [
    readText({ ...own, name: 'name', path: `${common.path}.name`, label: texts.form.entryName }, {}),
    readText({ ...own, name: 'value', path: `${common.path}.value`, label: texts.form.entryValue }, {}),
  ];
  return {
    ...common,
    kind: 'map',
    item: { ...own, kind: 'group', label, fields },
    maxItems: maxProperties ?? Number.POSITIVE_INFINITY,
    exclusive: undefined,
  };
}

/** @param schema the member of a request: that of an answer has no limits */
function readDeclared(common: Common, itemLabel: string, schema: Schema, place: Place): GroupField {
  const others = readMap(common, itemLabel, schema);
  const isReadOnly = schema.additionalProperties === false;
  return {
    ...common,
    kind: 'group',
    fields: [...readMembers(schema, place), { ...others, name: '', path: `${common.path}.`, isReadOnly }],
  };
}

function readField(name: string, isRequired: boolean, given: Schema, place: Place): Field {
  const schema = resolve(given, place.root);
  const { path } = place;
  const { label, item, hint } = wordsOf(place.kind, path, schema.description ?? '', schema['x-labels']);
  const common = {
    ...{ name, path, label, description: hint, isRequired, isReadOnly: schema.readOnly ?? false },
    isLocked: false,
    ...{ isFilter: schema['x-filter'] ?? false, isSorted: schema['x-sort'] ?? false },
    isUnique: schema['x-unique'] ?? false,
  };
  if (schema.type === 'array') return readList(common, item, schema, place);
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object') {
    const input = resolve({ $ref: `${place.root.$ref}Input` }, place.root).properties?.[path];
    if (input?.properties !== undefined) return readDeclared(common, item, input, place);
    return readMap(common, item, schema);
  }
  if (schema.type === 'object') return { ...common, kind: 'group', fields: readMembers(schema, place) };
  if (schema.type === 'boolean' && schema['x-type'] !== 'boolean') return { ...common, kind: 'flag' };
  if (schema.type === 'integer' || schema.type === 'number') return { ...common, kind: 'number' };
  return readText(common, schema);
}

/** @param root the published document, such as `/schemas/user.json` */
export const readFields = (kind: KindName, root: Schema): readonly Field[] =>
  readMembers(resolve(root, root), { kind, root, path: '' });

/** The fields that a person fills in; no one may change the id. */
export const findWritable = (fields: readonly Field[]): readonly Field[] =>
  fields.filter(({ name, isReadOnly }) => !isReadOnly && name !== 'id');
