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

/** @param earlier the fields of the version that the client is pinned to; it has a map in the place of declared attributes */
const visibleOf = (
  fields: readonly Field[],
  allows: (path: string) => ReturnType<Allows>,
  earlier = fields,
): readonly Field[] =>
  fields.flatMap((field) => {
    const before = earlier.find(({ name }) => name === field.name);
    const { isVisible, isWritable } = allows(field.path);
    if (before === undefined || !isVisible) return [];
    const own = { ...field, isLocked: !isWritable };
    if (own.kind !== 'group') return own;
    return {
      ...own,
      fields: visibleOf(own.fields, allows, before.kind === 'group' ? before.fields : undefined),
    };
  });

async function readSchema(kind: KindName, version = ''): Promise<readonly Field[]> {
  // The browser may have those of an earlier release, or of other declared attributes.
  const options: RequestInit = { credentials: 'omit', cache: 'no-cache' };
  const response = await fetch(urlOf(`schemas/${version}${kind}.json`), options);
  if (!response.ok) throw new Error(`the schema: ${response.status}`);
  return readFields(kind, (await response.json()) as Schema);
}

async function loadOf(
  kind: KindName,
  allows: Allows,
  contract: string | undefined,
): Promise<readonly [KindName, readonly Field[]]> {
  const fields = await readSchema(kind);
  const earlier = contract && (await readSchema(kind, `${contract}/`));
  return [kind, visibleOf(fields, (path) => allows(kind, path), earlier || fields)];
}

/**
 * Loads the schemas once, or again after a failure.
 * @param contract the earlier version that the client is pinned to: the service refuses later members, also empty ones @throws as `fetch`
 */
export async function loadFields(allows: Allows, contract: string | undefined): Promise<void> {
  if (allFields.value !== undefined) return;
  allFields.set(
    Object.fromEntries(
      await Promise.all(kindNames.map((kind) => loadOf(kind, allows, contract))),
    ) as FieldsOfKinds,
  );
}
