/**
 * The columns of a schema. A column's name is a path: `name.familyName`, `emails.0.value`, `attributes.costCenter`. A backslash escapes a
 * dot or backslash in a map's key, so every key has one name: `attributes.a\.b`. A list of values is one column.
 *
 * `phoneNumbers.mobile.value` belongs to the item whose type is `mobile`, wherever it stands in the list. The cells of `!active` have the
 * opposite value. The cells of `@enterprise.manager.value` have names of users in the place of ids. The cells of `userName+emails.0.value` are the values of both columns.
 */

import type { TObject, TSchema } from 'typebox';
import type { Annotations } from '../../../domain/resource/annotations.ts';
import { escapePointer } from '../../../domain/validation/schema-validator.ts';
import { entrySchemaOf, shapeOf } from '../port/schema-shapes.ts';
import { type BooleanWords, escapeParts, readCell, readCountry, readListCell, splitParts } from './cells.ts';

/** Per file. The largest user needs fewer, but a million users may have any number of map keys. */
export const maxColumns = 1000;

/** The item of a list that has this type. */
export class TypeStep {
  readonly type: string;

  constructor(type: string) {
    this.type = type;
  }

  toString(): string {
    return this.type;
  }
}

/** A member's name or a map's key; a number is a list index. */
export type PathStep = string | number | TypeStep;

export interface Column {
  readonly path: string;
  readonly steps: readonly PathStep[];
  readonly pointer: string;
  readonly isBoolean: boolean;
  /**
   * Its cells have single values. If the value is a list, as of an attribute that another kind declares as a list, the cell has an item in each line.
   */
  readonly isSingle: boolean;
  /** Its value is the id of a user. */
  readonly isUser: boolean;
  /** Its values are days, or instants that a day may stand for. */
  readonly isDay: boolean;
  /** What a day means in its cells. */
  readonly day?: Annotations['day'];
  /** Its cells have the opposite value. */
  readonly isInverse?: boolean;
  /** Its cells have names of users, or ids. */
  readonly isNamed?: boolean;
  /** Another column with the same cells. */
  readonly also?: Column | undefined;
  /** Reads a cell that isn't empty. Returns the text itself when it isn't of the schema's type: the validator rejects it. */
  read(cell: string, words: BooleanWords): unknown;
}

export const printPath = (steps: readonly PathStep[]): string =>
  steps.map((step) => escapeParts(String(step), '.')).join('.');

const wholeNumber = /^(?:0|[1-9][0-9]{0,3})$/;

/** The usual types of a list's items. */
function typesOf(item: TSchema): readonly string[] {
  const shape = shapeOf(item);
  const type = shape.is === 'object' ? (shape.members.get('type') as Annotations | undefined) : undefined;
  return type?.scim?.canonicalValues ?? [];
}

/** @returns undefined when `schema` has no such member, item or key */
function takeStep(
  schema: TSchema,
  step: string,
): { readonly step: PathStep; readonly of: TSchema } | undefined {
  const shape = shapeOf(schema);
  if (shape.is === 'object') {
    const of = shape.members.get(step);
    return of && { step, of };
  }
  if (shape.is === 'list') {
    if (typesOf(shape.of).includes(step)) return { step: new TypeStep(step), of: shape.of };
    const index = Number(step);
    const { maxItems = maxColumns } = schema as { readonly maxItems?: number };
    const isThere = wholeNumber.test(step) && index < maxItems;
    return isThere ? { step: index, of: shape.of } : undefined;
  }
  if (shape.is === 'value') return undefined;
  return new RegExp(shape.keys, 'u').test(step) ? { step, of: entrySchemaOf(shape, step) } : undefined;
}

/** @returns the reader of its cells; undefined for a schema with columns inside */
function readerOf(schema: TSchema): Column['read'] | undefined {
  const shape = shapeOf(schema);
  if ('names' in schema) return readCountry;
  if (shape.is === 'value') return (cell, words) => readCell(schema, cell, words);
  const isOneCell = shape.is === 'list' && shapeOf(shape.of).is === 'value';
  return isOneCell ? (cell, words) => readListCell(shape.of, cell, words) : undefined;
}

/** A single value or a list of them; other schemas have columns inside. */
export const isCell = (schema: TSchema): boolean => readerOf(schema) !== undefined;

/** @returns undefined when the schema has no such column */
export function findColumn(schema: TObject, path: string): Column | undefined {
  const column = findPlainColumn(schema, path);
  if (column !== undefined) return column;
  if (path.startsWith('!')) return invert(findPlainColumn(schema, path.slice(1)));
  if (path.startsWith('@')) return nameUsers(findPlainColumn(schema, path.slice(1)));
  const [first, second, ...more] = path.split('+').map((one) => findPlainColumn(schema, one));
  if (!first || !second || more.length > 0) return undefined;
  return { ...first, path, isDay: first.isDay || second.isDay, also: second };
}

/** The columns that have its cells: itself, and another one if there is one. */
export const sameCells = (column: Column): readonly Column[] =>
  column.also === undefined ? [column] : [column, column.also];

function invert(column: Column | undefined): Column | undefined {
  if (column?.isBoolean !== true) return undefined;
  const read: Column['read'] = (cell, words) => {
    const value = column.read(cell, words);
    return typeof value === 'boolean' ? !value : value;
  };
  return { ...column, path: `!${column.path}`, isInverse: true, read };
}

const nameUsers = (column: Column | undefined): Column | undefined =>
  column?.isUser ? { ...column, path: `@${column.path}`, isNamed: true } : undefined;

/** The declared type of its value, or of the items of its list. */
const typedOf = (schema: TSchema): string | undefined => {
  const shape = shapeOf(schema);
  return ((shape.is === 'list' ? shape.of : schema) as { readonly typed?: string }).typed;
};

/** Whether its value is the id of a user. */
const isUser = (schema: TSchema): boolean => {
  const { refers, typed } = schema as Annotations & { readonly typed?: string };
  return (refers ?? typed) === 'user';
};

function findPlainColumn(schema: TObject, path: string): Column | undefined {
  const steps: PathStep[] = [];
  let of: TSchema = schema;
  const names = splitParts(path, '.');
  // Reject other spellings of the same path.
  if (printPath(names) !== path) return undefined;
  for (const name of names) {
    // A list of values is one cell.
    const next = isCell(of) ? undefined : takeStep(of, name);
    if (next === undefined) return undefined;
    steps.push(next.step);
    of = next.of;
  }
  const read = readerOf(of);
  const pointer = steps.map((step) => `/${escapePointer(String(step))}`).join('');
  const isBoolean = 'type' in of && of.type === 'boolean';
  const isSingle = shapeOf(of).is === 'value';
  const { day } = of as Annotations;
  const isDay = day !== undefined || typedOf(of) === 'date';
  return read && { path, steps, pointer, isBoolean, isSingle, isUser: isUser(of), isDay, day, read };
}

/** What other programs call the columns of the kind, by path. */
export const headingsOf = (schema: TObject): Readonly<Record<string, readonly string[]>> =>
  (schema as { readonly headings?: Readonly<Record<string, readonly string[]>> }).headings ?? {};

interface UsualColumn {
  readonly path: string;
  /** Headings that people write for it. */
  readonly labels: readonly string[];
  /** Whether the column is that of a declared attribute. */
  readonly isDeclared?: boolean;
}

/** Its name is a heading, too. A retired attribute has no headings: imports can't set it. */
function declaredColumn(name: string, schema: TSchema, before: readonly PathStep[]): UsualColumn {
  const { isRetired } = schema as { readonly isRetired?: boolean };
  const path = printPath([...before, name]);
  const labels = usualColumns(schema).flatMap((column) => column.labels);
  return { path, labels: isRetired ? [] : [name, ...labels], isDeclared: true };
}

/** All columns of the schema except undeclared map keys, which it doesn't define; for lists, the columns of the first item. */
export function usualColumns(schema: TSchema, before: readonly PathStep[] = []): readonly UsualColumn[] {
  if (isCell(schema)) {
    const { labels: called } = schema as Annotations;
    const labels = called === undefined ? [] : [...called.en, ...called.de];
    return [{ path: printPath(before), labels }];
  }
  const shape = shapeOf(schema);
  if (shape.is === 'list') return usualColumns(shape.of, [...before, 0]);
  if (shape.is === 'map') return [...shape.declared].map(([name, of]) => declaredColumn(name, of, before));
  if (shape.is !== 'object') return [];
  return [...shape.members].flatMap(([name, of]) => usualColumns(of, [...before, name]));
}

/** The usual columns of users by name. */
export const userColumns = (schema: TObject): readonly string[] =>
  usualColumns(schema).flatMap(({ path }) => findColumn(schema, `@${path}`)?.path ?? []);

/** The usual columns that people have a name for. */
export const namedColumns = (schema: TSchema): readonly string[] =>
  usualColumns(schema).flatMap(({ path, labels }) => (labels.length > 0 ? [path] : []));
