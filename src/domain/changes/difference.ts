/** The differences between two documents of a resource: members of objects one by one, lists and texts as a whole. */
import type { TSchema } from 'typebox';
import { membersOf } from '../resource/parts.ts';
import { isDeepEqual, isObject, ownValue } from '../validation/plain-values.ts';
import { escapePointer } from '../validation/schema-validator.ts';

type Members = Readonly<Record<string, unknown>>;

interface Difference {
  /** JSON Pointers (RFC 6901). */
  readonly changed: readonly string[];
  /** The part of the first document at these pointers; pointers to missing members are skipped. */
  readonly before: Members;
  /** The same part of the second document. */
  readonly after: Members;
}

/** A map has names from clients: an object literal would treat `__proto__` as its prototype. */
const toObject = (members: ReadonlyMap<string, unknown>): Members => Object.fromEntries(members);

/** @param schema of both, whose order their members have here @param leftOut names of members that are not compared */
export function findDifference(
  one: Members,
  other: Members,
  schema: TSchema | undefined,
  pointer: string,
  leftOut: readonly string[] = [],
): Difference {
  const changed: string[] = [];
  const [before, after] = [new Map<string, unknown>(), new Map<string, unknown>()];
  const members = new Map(schema && membersOf(schema));
  for (const name of new Set([...members.keys(), ...Object.keys(one), ...Object.keys(other)])) {
    const [old, next] = [ownValue(one, name), ownValue(other, name)];
    if (leftOut.includes(name) || isDeepEqual(old, next)) continue;
    const at = `${pointer}/${escapePointer(name)}`;
    if (isObject(old ?? {}) && isObject(next ?? {})) {
      const inner = findDifference((old ?? {}) as Members, (next ?? {}) as Members, members.get(name), at);
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
