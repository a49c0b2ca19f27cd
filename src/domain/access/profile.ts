/**
 * Makes an `Access` from the rules that an operator gives for a profile. `limited-store.ts` applies its filter to reads and writes;
 * `resource/projection.ts` (`Limits`) refuses writes of members that it leaves out.
 */

import type { Access, KindAccess, MemberNames, NamedMembers } from '../find/access.ts';
import { type Condition, matchAll, matchNone } from '../find/conditions.ts';
import type { Kind } from '../kinds/kind.ts';
import { type Kinds, ofKind } from '../kinds.ts';
import type { Extent, MemberPath } from '../resource/resource.ts';
import type { KindName } from '../validation/errors.ts';
import { isObject } from '../validation/plain-values.ts';
import { suggest } from '../validation/suggest.ts';

export interface KindRules extends NamedMembers {
  /** Left out: all resources. */
  readonly where?: Condition | undefined;
  readonly create?: boolean | undefined;
  readonly delete?: boolean | undefined;
}

/** The rules by the name of the kind. For the caller, kinds that are left out do not exist. */
export type ProfileRules = ReadonlyMap<string, KindRules>;

/** The member of groups in profiles that stands for their members, which are no part of the document. */
export const membersMember = 'members';

/** Whether some members of groups are outside of the caller's filter, or all are hidden. */
export const hidesMembers = (access: Access, owners: KindName, members: KindName): boolean =>
  access.of(owners).shows([membersMember]) !== 'whole' || access.of(members).filterMark !== undefined;

const alwaysVisible: ReadonlySet<string> = new Set(['id', 'meta', 'schemas']);

type Extents = (path: MemberPath) => Extent;

const isWithin = (path: MemberPath, root: MemberPath): boolean =>
  root.length <= path.length && root.every((name, at) => path[at] === name);

const pathOf = (name: string): MemberPath => name.split('.');

/** @param names of members with all that is in them */
function extentsOf(names: MemberNames): Extents {
  if (names === '*') return () => 'whole';
  const roots = names.map(pathOf);
  return (path) => {
    if (roots.some((root) => isWithin(path, root))) return 'whole';
    return roots.some((root) => isWithin(root, path)) ? 'part' : 'none';
  };
}

const ascending: readonly Extent[] = ['none', 'part', 'whole'];
const opposite = { none: 'whole', part: 'part', whole: 'none' } as const;

const least =
  (one: Extents, other: Extents): Extents =>
  (path) =>
    ascending.find((extent) => [one(path), other(path)].includes(extent)) ?? 'none';

function without(all: Extents, names: readonly string[]): Extents {
  const left = extentsOf(names);
  return least(all, (path) => opposite[left(path)]);
}

interface Described {
  readonly properties?: Readonly<Record<string, object>>;
  readonly items?: object;
  readonly entry?: string;
  readonly isClosed?: boolean;
}

/** The dotted names of all members, with those of objects; entries of maps only if they are declared. */
const namesIn = (schema: object, prefix = ''): readonly string[] =>
  Object.entries((schema as Described).properties ?? {}).flatMap(([name, member]) => [
    `${prefix}${name}`,
    ...namesIn(member, `${prefix}${name}.`),
  ]);

/** @returns what is wrong with a name; undefined if the kind has such a member */
function findFault({ schema, members, name: kind }: Kind, name: string): string | undefined {
  if (name === membersMember && members !== undefined) return undefined;
  let at: object = schema;
  for (const [depth, part] of pathOf(name).entries()) {
    const { properties = {}, items, entry, isClosed } = (at ?? {}) as Described;
    const holder = pathOf(name).slice(0, depth).join('.');
    if (items !== undefined) return `${holder} is a list: name it as a whole`;
    const isEntry = entry !== undefined && isClosed !== true && !Object.hasOwn(properties, part);
    if (isEntry && depth === pathOf(name).length - 1 && part !== '') return undefined;
    const next: object | undefined = Object.hasOwn(properties, part) ? properties[part] : undefined;
    if (next === undefined) return `a ${kind} has no member ${name}${suggest(name, namesIn(schema))}`;
    at = next;
  }
  return undefined;
}

/** @returns a line for each mistake in the names */
export function findFaultsOfRules(
  kind: Kind,
  { read, except = [], write = [], create }: KindRules,
): string[] {
  const named = { read, except, write };
  const faults = Object.entries(named).flatMap(([list, names]) =>
    (names === '*' ? [] : names).flatMap((name) => {
      const fault = findFault(kind, name);
      return fault === undefined ? [] : [`${list}: ${fault}`];
    }),
  );
  const { member } = kind.unique;
  const isHidden = without(extentsOf(read), except)([member]) !== 'whole';
  return create && isHidden
    ? [...faults, `create: a new ${kind.name} needs ${member}, which is hidden`]
    : faults;
}

/** A text in which equal rules are equal. */
const printRules = (rules: unknown): string =>
  JSON.stringify(rules, (_, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort()) : value,
  );

const nothing: KindRules = { where: matchNone, read: [] };

/** @param shared the members of earlier profiles, by their text */
function kindAccess(
  kind: Kind,
  { where = matchAll, read, except = [], write = [], ...rules }: KindRules,
  markOf: (text: string) => string,
  shared: Map<string, NamedMembers>,
): KindAccess {
  const text = printRules({ read, except, write });
  const named = shared.get(text) ?? { read, except, write };
  shared.set(text, named);
  const visible = without(extentsOf(read), except);
  const shows: Extents = (path) => (alwaysVisible.has(path[0] ?? '') ? 'whole' : visible(path));
  return {
    where,
    filterMark: where === matchAll ? undefined : markOf(`${kind.name} ${printRules(where)}`),
    shows,
    writes: least(shows, extentsOf(write)),
    named,
    mayCreate: rules.create === true,
    mayDelete: rules.delete === true,
  };
}

/**
 * @param markOf a short hash of a text: letters, digits, `-` and `_`
 * @param shared of all profiles of a file, so that those with the same members share their validators, which take 150 KB each
 */
export function makeAccess(
  kinds: Pick<Kinds, 'all'>,
  profile: string,
  rules: ProfileRules,
  markOf: (text: string) => string,
  shared = new Map<string, NamedMembers>(),
): Access {
  const byKind = new Map(
    kinds.all.map((kind) => [kind.name, kindAccess(kind, rules.get(kind.name) ?? nothing, markOf, shared)]),
  );
  return {
    profile,
    mark: markOf(printRules([profile, [...rules]])),
    of: (kind) => ofKind(byKind, kind),
  };
}
