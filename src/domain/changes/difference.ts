/** What differs between two documents of a resource: members of objects one by one, lists and texts as a whole. */
import { isDeepEqual, isObject } from '../validation/plain-values.ts';

type Members = Readonly<Record<string, unknown>>;

export interface Difference {
  /** JSON Pointers (RFC 6901), in the order of the documents. */
  readonly changed: readonly string[];
  /** The part of the first document at these pointers, as far as it has them. */
  readonly before: Members;
  /** Of the second one. */
  readonly after: Members;
}

const escapeName = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Names are the client's own in maps: an object literal would take `__proto__` for something else. */
const toObject = (members: ReadonlyMap<string, unknown>): Members => Object.fromEntries(members);

/** @param leftOut names of members that are not compared */
export function findDifference(
  one: Members,
  other: Members,
  pointer = '',
  leftOut: readonly string[] = [],
): Difference {
  const changed: string[] = [];
  const [before, after] = [new Map<string, unknown>(), new Map<string, unknown>()];
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const [old, next] = [read(one, name), read(other, name)];
    if (leftOut.includes(name) || isDeepEqual(old, next)) continue;
    const at = `${pointer}/${escapeName(name)}`;
    if (isObject(old ?? {}) && isObject(next ?? {})) {
      const inner = findDifference((old ?? {}) as Members, (next ?? {}) as Members, at);
      changed.push(...inner.changed);
      if (old !== undefined) before.set(name, inner.before);
      if (next !== undefined) after.set(name, inner.after);
      continue;
    }
    changed.push(at);
    if (old !== undefined) before.set(name, old);
    if (next !== undefined) after.set(name, next);
  }
  return { changed, before: toObject(before), after: toObject(after) };
}

const read = (members: Members, name: string): unknown =>
  Object.hasOwn(members, name) ? members[name] : undefined;
