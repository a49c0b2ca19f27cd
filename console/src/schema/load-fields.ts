/** Loads `/schemas/user.json` and `/schemas/group.json`, and keeps their fields. */

import { Observable } from '../parts/observable.ts';
import { urlOf } from '../root.ts';
import { type Field, readFields, type Schema } from './fields.ts';
import { type KindName, kindNames } from './kinds.ts';

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

/** Whether an access profile shows a member. */
type IsVisible = (kind: KindName, path: string) => boolean;

const visibleOf = (fields: readonly Field[], isVisible: (path: string) => boolean): readonly Field[] =>
  fields
    .filter(({ path }) => isVisible(path))
    .map((field) =>
      field.kind === 'group' ? { ...field, fields: visibleOf(field.fields, isVisible) } : field,
    );

async function loadOf(kind: KindName, isVisible: IsVisible): Promise<readonly [KindName, readonly Field[]]> {
  const response = await fetch(urlOf(`schemas/${kind}.json`), { credentials: 'omit' });
  if (!response.ok) throw new Error(`the schema: ${response.status}`);
  const fields = readFields(kind, (await response.json()) as Schema);
  return [kind, visibleOf(fields, (path) => isVisible(kind, path))];
}

/** Loads the schemas once, or again after a failure. @throws as `fetch` */
export async function loadFields(isVisible: IsVisible): Promise<void> {
  if (allFields.value !== undefined) return;
  allFields.set(
    Object.fromEntries(await Promise.all(kindNames.map((kind) => loadOf(kind, isVisible)))) as FieldsOfKinds,
  );
}
