import { useAnswer } from '../answers/use-answer.ts';
import { listResources } from '../api/directory.ts';
import { isList, type JsonObject, valueAt } from '../schema/documents.ts';
import type { KindName, ListQuery, Resource } from '../schema/kinds.ts';

/** Resources that are looked at, those changed last: one page, which the service finds at once however many there are. */
const sampleSize = 500;

export interface KnownValue {
  readonly value: string;
  /** Of the resources that were looked at. */
  readonly count: number;
}

const textsAt = (resource: Resource, path: readonly string[]): readonly string[] => {
  const found = valueAt(resource as unknown as JsonObject, path);
  return (isList(found) ? found : [found]).filter((item) => typeof item === 'string');
};

function countValues(resources: readonly Resource[], path: readonly string[]): readonly KnownValue[] {
  const counts = new Map<string, number>();
  for (const value of resources.flatMap((resource) => textsAt(resource, path)))
    counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || one.value.localeCompare(other.value));
}

/** The values of a field, the most frequent first. Rare values of a large directory may be missing. @param query selects the resources */
export function useKnownValues(
  kind: KindName,
  path: readonly string[],
  query: ListQuery,
): readonly KnownValue[] {
  const { value } = useAnswer(
    { kind, query: { ...query, sort: '-lastModified', limit: sampleSize } } as const,
    listResources,
  );
  return value === undefined ? [] : countValues(value.resources, path);
}
