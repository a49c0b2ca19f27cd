/** Compares stored resources, to see whether a copy is complete. */
import type { StoredResource } from '../store.ts';

type Comparison = (one: StoredResource, other: StoredResource) => boolean;

interface Identified {
  readonly id: string;
}

/** In the order of ids. */
type Batches<T> = AsyncIterable<readonly T[]>;

const printWithoutMeta = ({ value: { meta: _, ...rest } }: StoredResource): string => JSON.stringify(rest);

/** Ignores `meta` where the versions differ: a resource that overwrote another has a new one. */
export const hasSameContent: Comparison = (one, other) => {
  if (one.text === other.text) return true;
  return one.meta.version !== other.meta.version && printWithoutMeta(one) === printWithoutMeta(other);
};

async function* oneByOne<T>(batches: Batches<T>): AsyncGenerator<T> {
  for await (const batch of batches) yield* batch;
}

/** Yields, in order and in constant memory, the ids that only one side has or that differ. */
export async function* findDifferences<T extends Identified>(
  one: Batches<T>,
  other: Batches<T>,
  isSame: (one: T, other: T) => boolean,
): AsyncGenerator<string> {
  const [left, right] = [oneByOne(one), oneByOne(other)];
  let [a, b] = [await left.next(), await right.next()];
  while (a.done !== true || b.done !== true) {
    const first = a.done === true || (b.done !== true && b.value.id < a.value.id) ? b : a;
    const id = first.done === true ? '' : first.value.id;
    const inBoth = a.done !== true && b.done !== true && a.value.id === b.value.id;
    if (!inBoth || (a.value && b.value && !isSame(a.value, b.value))) yield id;
    if (a.done !== true && a.value.id === id) a = await left.next();
    if (b.done !== true && b.value.id === id) b = await right.next();
  }
}
