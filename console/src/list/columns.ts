/** The available columns of a list: every field of a resource except those inside lists. A person is one column. */

import { describePointer, spread } from '../form/pointers.ts';
import { type Json, type JsonObject, printPointer, valueAt } from '../schema/documents.ts';
import type { Field } from '../schema/fields.ts';
import { type KindName, kinds, type Resource, type SortName } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';

export interface Column {
  /** Such as `name.familyName`. */
  readonly path: string;
  readonly label: string;
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

/** In the order of the schema. */
export const findColumns = (kind: KindName, fields: readonly Field[]): readonly Column[] =>
  spread(fields).map((field) => {
    const { path } = field;
    // A user has more than one name, and the column shows what people call it.
    const isName = kind === 'user' && path === 'displayName';
    const label = isName ? texts.list.name : describePointer(fields, printPointer(path.split('.')));
    return { path, label, field, sort: field.isSorted ? path : sortOf(path) };
  });

/** Names first, then the usual columns in their order, then others in that of the schema. */
export function showColumns(
  kind: KindName,
  columns: readonly Column[],
  wanted: readonly string[],
): readonly Column[] {
  const { usualColumns, uniqueName } = kinds[kind];
  const order = ['displayName', uniqueName, ...usualColumns, ...columns.map(({ path }) => path)];
  // The access profile may hide what people call them.
  const lead = columns.some(({ path }) => path === 'displayName') ? [] : [uniqueName];
  return columns
    .filter(({ path }) => [...lead, ...wanted].includes(path))
    .toSorted((one, other) => order.indexOf(one.path) - order.indexOf(other.path));
}

export const valueIn = (resource: Resource, { path }: Column): Json | undefined =>
  // The column of undeclared attributes, `attributes.`, shows all.
  valueAt(resource as unknown as JsonObject, path.split('.').filter(Boolean));
