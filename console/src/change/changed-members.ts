import type { Change } from '../api/changes.ts';
import { isObject, type Json, type JsonObject, memberOf, readPointer } from '../schema/documents.ts';
import { managerPath } from '../schema/kinds.ts';
import { compareVersions } from './merge.ts';

/** A changed member. */
export interface ChangedMember {
  readonly path: readonly string[];
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  /** Whether the log has its values: it has no photos, certificates and erased values. */
  readonly isKnown: boolean;
}

export const documentOf = (values: Change['before']): JsonObject => ({ ...values }) as unknown as JsonObject;

const isWithin = (path: readonly string[], outer: readonly string[]): boolean =>
  outer.every((name, at) => path[at] === name);

/** All changed members of a change: objects member by member, lists and persons as a whole. */
export function changedMembersOf({ before, after, changed = [] }: Change): readonly ChangedMember[] {
  const [old, next] = [documentOf(before), documentOf(after)];
  const known = compareVersions([old, next, next]).map(
    ({ path, base, mine }): ChangedMember => ({ path, before: base, after: mine, isKnown: true }),
  );
  const others = changed
    .map(readPointer)
    .filter((path) => !known.some((member) => isWithin(member.path, path) || isWithin(path, member.path)));
  const unknown = { before: undefined, after: undefined, isKnown: false };
  return [...known, ...others.map((path): ChangedMember => ({ path, ...unknown }))];
}

/** What takes the old value: of a person whose id or name alone was changed, this half, since the log does not have the other one. */
export function partOf(member: ChangedMember): ChangedMember {
  const { path, before, after, isKnown } = member;
  if (path.join('.') !== managerPath || !isObject(before) || !isObject(after)) return member;
  const [name = '', other] = Object.keys({ ...before, ...after });
  if (other !== undefined) return member;
  return { path: [...path, name], before: memberOf(before, name), after: memberOf(after, name), isKnown };
}
