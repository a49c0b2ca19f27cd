/** The available columns of a list: every field of a resource except those inside lists. A person is one column. */

import { type Json, type JsonObject, valueAt } from '../schema/documents.ts';
import type { Field } from '../schema/fields.ts';
import { type KindName, kinds, managerPath, type Resource, type SortName } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';

export interface Column {
  /** Such as `name.familyName`. */
  readonly path: string;
  readonly label: string;
  /** Includes the names of its groups. */
  readonly fullLabel: string;
  readonly field: Field;
  /** The name of the sort by this column. */
  readonly sort: string | undefined;
}

/** The sorts of the API, and their columns. */
const sorts: Readonly<Record<SortName, string>> = {
  id: 'id',
  userName: 'userName',
  displayName: 'displayName',
  familyName: 'name.familyName',
  title: 'title',
  department: 'enterprise.department',
  validFrom: 'validFrom',
  validUntil: 'validUntil',
  created: 'meta.created',
  lastModified: 'meta.lastModified',
};

const sortOf = (path: string): string | undefined =>
  Object.entries(sorts).find(([, sorted]) => sorted === path)?.[0];

const columnsOf = (fields: readonly Field[], before = ''): readonly Column[] =>
  fields.flatMap((field) => {
    const { path, label } = field;
    if (field.kind === 'group' && path !== managerPath)
      return columnsOf(field.fields, `${before}${label} › `);
    return [{ path, label, fullLabel: before + label, field, sort: field.isSorted ? path : sortOf(path) }];
  });

/** A user has more than one name, and the column shows what people call it. */
const named = (kind: KindName, column: Column): Column =>
  kind === 'user' && column.path === 'displayName'
    ? { ...column, label: texts.list.name, fullLabel: texts.list.name }
    : column;

/** In the order of the schema. Repeated labels include their groups. */
export function findColumns(kind: KindName, fields: readonly Field[]): readonly Column[] {
  const columns = columnsOf(fields).map((column) => named(kind, column));
  const isRepeated = ({ label }: Column) => columns.filter((other) => other.label === label).length > 1;
  return columns.map((column) => (isRepeated(column) ? { ...column, label: column.fullLabel } : column));
}

/** Names first, then the usual columns in their order, then others in that of the schema. */
export function showColumns(
  kind: KindName,
  columns: readonly Column[],
  wanted: readonly string[],
): readonly Column[] {
  const { usualColumns, uniqueName } = kinds[kind];
  const order = ['displayName', uniqueName, ...usualColumns, ...columns.map(({ path }) => path)];
  return columns
    .filter(({ path }) => wanted.includes(path))
    .toSorted((one, other) => order.indexOf(one.path) - order.indexOf(other.path));
}

export const valueIn = (resource: Resource, { path }: Column): Json | undefined =>
  // The column of undeclared attributes, `attributes.`, shows all.
  valueAt(resource as unknown as JsonObject, path.split('.').filter(Boolean));
