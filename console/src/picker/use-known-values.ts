import { useAnswer } from '../answers/use-answer.ts';
import { listResources } from '../api/directory.ts';
import { isList, type JsonObject, valueAt } from '../schema/documents.ts';
import type { KindName, ListQuery, Resource } from '../schema/kinds.ts';
import { usualSortOf } from '../schema/load-fields.ts';

/** The number of resources that are read in each order; the service finds first pages quickly in any directory. */
const sampleSize = 500;

/** The last changed resources have the newest values; an import may have made them all equal, so other orders are read, too. */
const ordersOf = (kind: KindName) => ['-lastModified', usualSortOf(kind), 'created'] as const;

/** The text of a field, or the texts of a list. */
const textsAt = (resource: Resource, path: readonly string[]): readonly string[] => {
  const found = valueAt(resource as unknown as JsonObject, path);
  return (isList(found) ? found : [found]).filter((item) => typeof item === 'string');
};

/** The different texts of a field, in alphabetical order. */
export const valuesOf = (resources: readonly Resource[], path: readonly string[]): readonly string[] =>
  [...new Set(resources.flatMap((resource) => textsAt(resource, path)))].sort((one, other) =>
    one.localeCompare(other),
  );

/** The values of a field, in alphabetical order. Rare values of a large directory may be missing. @param query selects the resources */
export function useKnownValues(
  kind: KindName,
  path: readonly string[],
  query: ListQuery,
): { readonly known: readonly string[]; readonly isBusy: boolean } {
  const samples = ordersOf(kind).map((sort) =>
    useAnswer({ kind, query: { ...query, sort, limit: sampleSize } } as const, listResources),
  );
  const resources = samples.flatMap(({ value }) => value?.resources ?? []);
  return {
    known: valuesOf(resources, path),
    isBusy: samples.some(({ isBusy }) => isBusy),
  };
}
