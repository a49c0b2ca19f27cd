/**
 * Parts of the documents of a kind: members, members of objects in it, and entries of maps; never members of a list's items, which a client
 * that sends the list back would lose. A projection has two such selections: what a client doesn't see, and what it can't change.
 */
import type { TSchema } from 'typebox';
import { isBlank, isDeepEqual, isObject, ownValue } from '../validation/plain-values.ts';
import { escapePointer, unescapePointer } from '../validation/schema-validator.ts';
import type { Extent, MemberPath } from './resource.ts';

export type Members = Readonly<Record<string, unknown>>;

/** How much of a member: all of it, some of its content, or nothing. */
export type Part = 'all' | Parts | undefined;

export interface Parts {
  readonly of: (name: string) => Part;
  /** All members of the schema, in its order. None for a map, whose entries are in any order. */
  readonly order: readonly string[];
  /** A text without any of these names in it, as JSON has them, has none of the parts. */
  readonly names: readonly string[];
  /** The object would be invalid with these parts alone. */
  readonly needsOthers: boolean;
}

/** @param member undefined for an undeclared entry of a map, and for the map when it stands for all its undeclared entries */
type ExtentOf = (path: MemberPath, member?: TSchema) => Extent;

export const membersOf = (schema: TSchema): readonly (readonly [string, TSchema])[] =>
  Object.entries('properties' in schema ? (schema.properties as Readonly<Record<string, TSchema>>) : {});

export const requiredOf = (schema: TSchema): readonly string[] =>
  'required' in schema ? (schema.required as readonly string[]) : [];

/** @returns the parts that are outside of the extents; undefined if there are none @throws Error for a member of a list's item */
export function partsOutside(schema: TSchema, extentOf: ExtentOf, path: MemberPath = []): Parts | undefined {
  const known = new Map<string, Part>();
  for (const [name, member] of membersOf(schema)) {
    const at = [...path, name];
    const part = extentOf(at, member) === 'none' ? 'all' : partsOutside(member, extentOf, at);
    if (part !== 'all' && 'items' in member && partsOutside(member.items as TSchema, extentOf, at))
      throw new Error(
        `an item of ${name} has a hidden member: a client that replaces the list would lose it`,
      );
    known.set(name, part);
  }
  const hasEntries = 'patternProperties' in schema && extentOf(path) === 'part';
  const names = [...known].flatMap(([name, part]) => (part === 'all' ? [name] : (part?.names ?? [])));
  if (names.length === 0 && !hasEntries) return undefined;
  const ofEntry = (name: string): Part =>
    hasEntries && extentOf([...path, name]) === 'none' ? 'all' : undefined;
  return {
    of: (name) => (known.has(name) ? known.get(name) : ofEntry(name)),
    order: 'patternProperties' in schema ? [] : [...known.keys()],
    names: hasEntries ? [...path.slice(-1), ...names] : names,
    needsOthers: requiredOf(schema).some((name) => known.get(name) !== 'all'),
  };
}

/** @param pointer to a member, or to a part of one (RFC 6901) */
export function covers(parts: Parts, pointer: string): boolean {
  let part: Part = parts;
  for (const step of pointer.split('/').slice(1)) {
    part = part.of(unescapePointer(step));
    if (part === undefined || part === 'all') break;
  }
  return part === 'all';
}

/** The value without the parts. Objects with nothing else are left out, and so are other values where an object is expected. */
export function omit(parts: Parts, value: Members): Members {
  const rest = Object.entries(value).flatMap(([name, member]) => {
    const part = parts.of(name);
    if (part === undefined) return [[name, member] as const];
    const inner = part === 'all' || !isObject(member) ? {} : omit(part, member);
    return Object.keys(inner).length === 0 ? [] : [[name, inner] as const];
  });
  return Object.fromEntries(rest);
}

const everything: Parts = { of: () => 'all', order: [], names: [], needsOthers: false };

const namesIn = (one: Members, other: Members): readonly string[] => [
  ...new Set([...Object.keys(one), ...Object.keys(other)]),
];

/**
 * The input, with the parts of `current`. They win over those of the input or, in a replacement, take the place of those that it leaves out.
 * @throws TypeError if parts of `current` can't be told from the rest
 */
export function keep(parts: Parts, input: Members, current: Members, isReplacement = false): Members {
  const inside = (part: Parts, given: unknown, old: unknown): unknown => {
    if (!isObject(old ?? {})) throw new TypeError('There is a value in the place of an object.');
    const isLeftOut = isBlank(given);
    // A value of another type is refused later.
    if ((isLeftOut && part.needsOthers) || !(isLeftOut || isObject(given))) return given;
    const object = keep(part, isLeftOut ? {} : (given as Members), (old ?? {}) as Members, isReplacement);
    return Object.keys(object).length === 0 ? undefined : object;
  };
  const whole = (given: unknown, old: unknown): unknown => {
    if (!isReplacement || isBlank(given)) return old;
    return isObject(given) && isObject(old) ? keep(everything, given, old, true) : given;
  };
  const kept = [...new Set([...parts.order, ...namesIn(current, input)])].flatMap((name) => {
    const [part, given, old] = [parts.of(name), ownValue(input, name), ownValue(current, name)];
    let next = given;
    if (part === 'all') next = whole(given, old);
    else if (part !== undefined) next = inside(part, given, old);
    return next === undefined ? [] : [[name, next] as const];
  });
  return Object.fromEntries(kept);
}

/** Pointers to the parts that the value names, with any values. */
export const findNamed = (parts: Parts, value: unknown, pointer = ''): readonly string[] =>
  Object.entries(isObject(value) ? value : {}).flatMap(([name, member]) => {
    const [part, at] = [parts.of(name), `${pointer}/${escapePointer(name)}`];
    if (part === 'all') return [at];
    return part === undefined ? [] : findNamed(part, member, at);
  });

/** Pointers to the parts that differ. An object whose parts can't stay alone counts as different if it is removed. */
export function findChanged(parts: Parts, next: unknown, old: unknown, pointer = ''): readonly string[] {
  const [one, other] = [isObject(next) ? next : {}, isObject(old) ? old : {}];
  return namesIn(other, one).flatMap((name) => {
    const [part, at] = [parts.of(name), `${pointer}/${escapePointer(name)}`];
    const [given, before] = [ownValue(one, name), ownValue(other, name)];
    if (part === undefined || isDeepEqual(given, before)) return [];
    const inner = part === 'all' ? everything : part;
    const isWhole = part === 'all' || (given === undefined && part.needsOthers);
    const hasBoth = isObject(given) && isObject(before);
    return isWhole && !hasBoth ? [at] : findChanged(inner, given, before, at);
  });
}
