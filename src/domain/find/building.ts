/**
 * Indexes of declared attributes (kinds/attributes/) that a store builds in the background, while it serves all queries that don't need
 * them. Rules of keys (keys.ts) name them `attributes.NAME`, `sort.attributes.NAME.2` and `search.attributes.NAME`.
 */
import type { TSchema } from 'typebox';
import { findAnnotatedFields } from '../resource/annotations.ts';
import { DomainError } from '../validation/errors.ts';
import { type Condition, hasLeaf, usesFilter } from './conditions.ts';
import type { KeyRules } from './keys.ts';
import type { Sort } from './sorts.ts';

/** Whether a filter, a sort or an index is that of a declared attribute. */
export const isDeclared = (name: string): boolean => /^(?:sort[.]|search[.])?attributes[.]/.test(name);

const without = (some: readonly string[], others: readonly string[]): string[] =>
  some.filter((one) => !others.includes(one));

/** The indexes of searched declared fields. The search itself has a version for its other fields. */
export const declaredSearches = (schema: TSchema): readonly string[] =>
  findAnnotatedFields(schema, 'search')
    .map(({ path }) => `search.${path.join('.')}`)
    .filter(isDeclared);

/** The differences of rules that differ in declared indexes alone; undefined for others. */
export function declaredChanges(
  found: KeyRules,
  ours: KeyRules,
): { readonly added: readonly string[]; readonly removed: readonly string[] } | undefined {
  const [theirs, own] = [found.indexes.filter(isDeclared), ours.indexes.filter(isDeclared)];
  const isSame =
    found.mapping === ours.mapping &&
    String(without(found.indexes, theirs).sort()) === String(without(ours.indexes, own).sort());
  return isSame ? { added: without(own, theirs), removed: without(theirs, own) } : undefined;
}

/** How far indexes are built; `all` is 0 if that isn't known. */
export interface Building {
  /** The rules whose indexes are not built. Queries that need one of them are refused. */
  readonly unbuilt: readonly string[];
  readonly done: number;
  readonly all: number;
}

/** The use and the attribute of an index such as `sort.attributes.badge.2`. The index of a filter has the filter's name, and no use. */
function parseIndex(index: string): { readonly use?: string | undefined; readonly name: string } {
  const [, use, name = index] = /^(sort|search)[.](.*?)(?:[.]\d+)?$/.exec(index) ?? [];
  return { use, name };
}

/** For people. */
export function describeBuilding({ unbuilt, done, all }: Building): string {
  const names = new Set(unbuilt.map((index) => parseIndex(index).name));
  const progress = `${Math.min(done, all)} of ${all} done`;
  if (names.size === 0) return `Keys of removed indexes are being removed: ${progress}.`;
  const what = [...names].join(', ');
  return all === 0
    ? `The index of ${what} is not built yet.`
    : `The index of ${what} is being built: ${progress}.`;
}

/** What a query needs besides the resources themselves. */
export interface Asked {
  readonly where: Condition;
  readonly sort?: Sort | undefined;
}

function needs({ where, sort }: Asked, index: string): boolean {
  const { use, name } = parseIndex(index);
  if (use === 'search') return hasLeaf(where, (one) => 'words' in one && one.words.length > 0);
  if (use === 'sort') return sort?.by === name || hasLeaf(where, (one) => 'sort' in one && one.sort === name);
  return usesFilter(where, name);
}

/** @throws DomainError `unavailable` if the query needs an index that isn't whole */
export function assertBuilt(building: Building, asked: Asked): void {
  const unbuilt = building.unbuilt.filter((index) => needs(asked, index));
  if (unbuilt.length > 0) throw new DomainError('unavailable', describeBuilding({ ...building, unbuilt }));
}
