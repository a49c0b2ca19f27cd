/** JSON Merge Patch, the algorithm of RFC 7396 §2, on plain values of any format. */

import { isObject } from '../validation/plain-values.ts';

/** Changes neither argument. `null` removes, an object merges, any other value (lists too) replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [member, value] of Object.entries(patch)) {
    if (value === null) merged.delete(member);
    else merged.set(member, mergePatch(merged.get(member), value));
  }
  return Object.fromEntries(merged);
}
