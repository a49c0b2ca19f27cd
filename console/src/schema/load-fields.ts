/** Loads `/schemas/user.json` and `/schemas/group.json`, and keeps their fields. */

import { Observable } from '../parts/observable.ts';
import { urlOf } from '../root.ts';
import { type Field, readFields, type Schema } from './fields.ts';
import { type KindName, kindNames, kinds, type ListQuery } from './kinds.ts';

type FieldsOfKinds = Readonly<Record<KindName, readonly Field[]>>;

/** Undefined until the schemas are loaded. */
export const allFields = new Observable<FieldsOfKinds | undefined>(undefined);

/** Empty until the schemas are loaded; no view is shown before that. */
export const fieldsOf = (kind: KindName): readonly Field[] => allFields.value?.[kind] ?? [];

/** The fields of declared attributes. */
export const declaredOf = (kind: KindName): readonly Field[] =>
  fieldsOf(kind).flatMap((field) =>
    field.kind === 'group' && field.name === 'attributes'
      ? field.fields.filter(({ name }) => name !== '')
      : [],
  );

type Order = NonNullable<ListQuery['sort']>;

/** The name to sort by: another one, or none, where the access profile hides it, since the service sorts by nothing hidden. */
export const usualSortOf = (kind: KindName, wanted = 'displayName'): Order =>
  ([wanted, 'displayName', kinds[kind].uniqueName].find((sort) =>
    fieldsOf(kind).some(({ name }) => name === sort),
  ) ?? 'id') as Order;

/** What an access profile allows for a member. */
type Allows = (kind: KindName, path: string) => { readonly isVisible: boolean; readonly isWritable: boolean };

const visibleOf = (
  fields: readonly Field[],
  allows: (path: string) => ReturnType<Allows>,
): readonly Field[] =>
  fields
    .filter(({ path }) => allows(path).isVisible)
    .map((field) => {
      const own = { ...field, isLocked: !allows(field.path).isWritable };
      return own.kind === 'group' ? { ...own, fields: visibleOf(own.fields, allows) } : own;
    });

async function loadOf(kind: KindName, allows: Allows): Promise<readonly [KindName, readonly Field[]]> {
  // The browser may have those of an earlier release, or of other declared attributes.
  const response = await fetch(urlOf(`schemas/${kind}.json`), { credentials: 'omit', cache: 'no-cache' });
  if (!response.ok) throw new Error(`the schema: ${response.status}`);
  const fields = readFields(kind, (await response.json()) as Schema);
  return [kind, visibleOf(fields, (path) => allows(kind, path))];
}

/** Loads the schemas once, or again after a failure. @throws as `fetch` */
export async function loadFields(allows: Allows): Promise<void> {
  if (allFields.value !== undefined) return;
  allFields.set(
    Object.fromEntries(await Promise.all(kindNames.map((kind) => loadOf(kind, allows)))) as FieldsOfKinds,
  );
}
