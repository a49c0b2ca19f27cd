/**
 * The annotations of a kind's schema. Beside JSON Schema's own keywords it may carry ours:
 * - `item`: the name of a list's entry in formats that name it (XML's element);
 * - `entry`: the same for one pair of a map;
 * - `must`: the end of "must …" for a client whose value fails the pattern or the format;
 * - `search`: how it is searched, as `words` or as a `phone` number (search.ts);
 * - `sort`: the name of the sort order by it (sorts.ts);
 * - `labels`: what people call it, by language: headings of tables;
 * - `headings`, of a kind as a whole: what other programs call its columns, by path;
 * - `day`: what a day without a time means in a table: its start or its end, in the time zone that is the member `zone`;
 * - `refers`: its value is meant as the id of a user, whose name may stand for it in a table;
 * - `names`: whose names in people's languages stand for the value (`region`: a country's);
 * - `since`: the version of the contract that added it, where that is later than 1.12, the first that clients can be pinned to;
 * - `typed`: the type of an attribute that the installation declares (validation/attribute-types.ts), on the value or on the items of a list;
 * - `isFilter`, `isUnique` and `isRetired`, of a declared attribute: what forms show and files check of it; `said`: its own description;
 * - `plain`, of a map with declared entries: its schema without them, which XML has in every installation; `isClosed`: it takes no others;
 * - `scim`: further characteristics of the SCIM attribute (RFC 7643 §7); on a list of plain texts they apply to the texts.
 */
import type { TSchema } from 'typebox';
import * as Type from 'typebox';
import { type AttributeTypeName, beInstant } from '../validation/attribute-types.ts';
import { isObject } from '../validation/plain-values.ts';
import type { DayEnd } from './days.ts';

/** The defaults are those of RFC 7643 §2.2. */
export interface ScimAnnotation {
  readonly type?: 'reference' | 'binary';
  readonly caseExact?: boolean;
  readonly uniqueness?: 'server';
  /** Suggestions: other values are accepted. */
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  /** A language tag, which identity providers also write with underscores (`en_US`). */
  readonly isLanguage?: boolean;
  /** The URN of the SCIM extension whose attributes are this member's members; of a declared attribute, with a colon and its name there. */
  readonly extension?: string;
  /** An attribute of the service's own extension, in which maps are, too. */
  readonly isOwn?: boolean;
}

export interface Annotations {
  readonly search?: 'words' | 'phone';
  readonly sort?: string;
  readonly since?: string;
  readonly scim?: ScimAnnotation;
  /** Headings that people write. No two fields of a kind share a label: a word with several meanings, such as Name, is not a label. */
  readonly labels?: { readonly en: readonly string[]; readonly de: readonly string[] };
  readonly refers?: 'user';
  readonly day?: { readonly end: DayEnd; readonly zone: string };
}

export const text = (maxLength: number, description?: string, annotations: Annotations = {}) =>
  Type.String({
    minLength: 1,
    maxLength,
    ...(description === undefined ? {} : { description }),
    ...annotations,
  });
/** A date and time with a zone (RFC 3339), stored in UTC with milliseconds. */
export const instant = (description: string, annotations: Annotations = {}) =>
  Type.String({ format: 'date-time', must: beInstant, description, ...annotations });
export const words: Annotations = { search: 'words' };
/** @param en, de labels, separated by commas */
export const called = (en: string, de: string): Annotations => ({
  labels: { en: en.split(', '), de: de.split(', ') },
});
export const list = <T extends Type.TSchema>(item: string, maxItems: number, of: T, more: object = {}) =>
  Type.Optional(Type.Array(of, { item, minItems: 1, maxItems, ...more }));
/** An object in a resource: with at least one member, and no unknown ones. */
export const objectOf = <T extends Type.TProperties>(
  description: string,
  properties: T,
  annotations: Annotations = {},
) => Type.Object(properties, { additionalProperties: false, minProperties: 1, description, ...annotations });

export interface AnnotatedField {
  /** The annotation's value in the schema. */
  readonly annotation: string;
  /** Names of members from the root; lists along the path add none. */
  readonly path: readonly string[];
  /** Whether its values are dates and times. */
  readonly isInstant: boolean;
  /** The type of a declared attribute. */
  readonly typed?: AttributeTypeName;
}

const keyword = (schema: TSchema, name: string): unknown => (schema as Record<string, unknown>)[name];

/** Whether the member was added after the version. @param version major and minor: `1.12` */
export function isSince(member: TSchema, version: string): boolean {
  const since = keyword(member, 'since');
  return typeof since === 'string' && isLater(since, version);
}

export function isLater(since: string, version: string): boolean {
  const [[major = 0, minor = 0], [pinnedMajor = 0, pinnedMinor = 0]] = [partsOf(since), partsOf(version)];
  return major > pinnedMajor || (major === pinnedMajor && minor > pinnedMinor);
}

const partsOf = (version: string): readonly number[] => version.split('.').map(Number);

/** In the schema's order. Entries of maps are left out, unless they are declared. */
export function findAnnotatedFields(schema: TSchema, annotation: string): AnnotatedField[] {
  const value = keyword(schema, annotation);
  const isInstant = keyword(schema, 'format') === 'date-time';
  const typed = keyword(schema, 'typed') as AttributeTypeName | undefined;
  const found = { path: [], isInstant, ...(typed && { typed }) };
  const own = typeof value === 'string' ? [{ annotation: value, ...found }] : [];
  const items = keyword(schema, 'items') as TSchema | undefined;
  const members = Object.entries((keyword(schema, 'properties') ?? {}) as Record<string, TSchema>);
  return [
    ...own,
    ...(items === undefined ? [] : findAnnotatedFields(items, annotation)),
    ...members.flatMap(([name, member]) =>
      findAnnotatedFields(member, annotation).map((one) => ({ ...one, path: [name, ...one.path] })),
    ),
  ];
}

const none: readonly string[] = [];

/** The texts at the path in a document; for a list along the path, the texts of each item. */
export function textsAt(document: unknown, path: readonly string[], from = 0): readonly string[] {
  if (document === undefined) return none;
  if (Array.isArray(document)) return document.flatMap((item) => textsAt(item, path, from));
  const name = path[from];
  if (name === undefined) return typeof document === 'string' ? [document] : [];
  return isObject(document) ? textsAt(document[name], path, from + 1) : [];
}

/** The value at the path of objects and declared entries in a document. */
export const valueAt = (document: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    document,
  );
