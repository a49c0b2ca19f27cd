/** Compares stored resources, to see whether a copy is complete. */
import type { StoredResource } from '../store.ts';

export type IsSame = (one: StoredResource, other: StoredResource) => boolean;

/** Resources in the order of ids. */
type Batches = AsyncIterable<readonly StoredResource[]>;

const printWithoutMeta = ({ value: { meta: _, ...rest } }: StoredResource): string => JSON.stringify(rest);

/** Ignores `meta` where the versions differ: a resource that overwrote another has a new version. */
export const hasSameContent: IsSame = (one, other) => {
  if (one.text === other.text) return true;
  return one.meta.version !== other.meta.version && printWithoutMeta(one) === printWithoutMeta(other);
};

async function* oneByOne(batches: Batches): AsyncGenerator<StoredResource> {
  for await (const batch of batches) yield* batch;
}

/** Yields, in order and in constant memory, the resources that only one side has and those that differ. */
export async function* findDifferences(
  one: Batches,
  other: Batches,
  isSame: IsSame,
): AsyncGenerator<{ readonly id: string; readonly isIn: 'one' | 'other' | 'both' }> {
  const [left, right] = [oneByOne(one), oneByOne(other)];
  let [a, b] = [await left.next(), await right.next()];
  while (a.done !== true || b.done !== true)
    if (b.done === true || (a.done !== true && a.value.id < b.value.id)) {
      yield { id: a.value?.id ?? '', isIn: 'one' };
      a = await left.next();
    } else if (a.done === true || b.value.id < a.value.id) {
      yield { id: b.value.id, isIn: 'other' };
      b = await right.next();
    } else {
      if (!isSame(a.value, b.value)) yield { id: a.value.id, isIn: 'both' };
      [a, b] = [await left.next(), await right.next()];
    }
}
