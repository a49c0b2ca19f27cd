/** The orders that a list may have beside that of the ids: one for each field with the annotation `sort`. */

import { Group } from '../group/group.ts';
import { findAnnotatedFields, textsAt } from '../resource/annotated-fields.ts';
import type { Resource } from '../resource/resource.ts';
import type { Stored } from '../resource/stored.ts';
import { fold } from '../unicode/folding.ts';
import { User } from '../user/user.ts';

const fields = findAnnotatedFields(User, 'sort');
const groupFields = findAnnotatedFields(Group, 'sort');

/** Of users. */
export const sortNames: readonly string[] = fields.map(({ annotation }) => annotation);
export const groupSortNames: readonly string[] = groupFields.map(({ annotation }) => annotation);

/** By name of the sort: kinds that share a sort have the field at the same place. */
const paths: ReadonlyMap<string, readonly string[]> = new Map(
  [...fields, ...groupFields].map(({ annotation, path }) => [annotation, path]),
);

/** The sorts whose field is also searched: if a user's key begins with a term, so does one of its words. */
export const searchedSorts: ReadonlySet<string> = new Set(
  findAnnotatedFields(User, 'search').flatMap(({ path }) =>
    fields.filter((field) => field.path.join() === path.join()).map(({ annotation }) => annotation),
  ),
);

/** Raise it with any change of the keys that `sortKeys` returns: stores then rebuild theirs. */
export const sortVersion = 2;

/** In code points. Text beyond it doesn't count: a cursor holds a key and must fit into a URL. */
const maxKeyLength = 128;

/** The order of a list. Ties are in the order of the ids, which `descending` reverses as well. */
export interface Sort {
  /** One of the kind's sorts; left out, the ids alone decide. */
  readonly by?: string | undefined;
  readonly descending?: boolean | undefined;
}

/** A place in a list: that of a user with this key and id, whether or not the user exists. */
export interface Position {
  readonly id: string;
  /** Left out in lists by id, and for users without the value: these come last in either direction. */
  readonly key?: string | undefined;
}

/** A place in a list, or the end of the list. */
export type Place = Position | 'end';

function toKey(text: string): string | undefined {
  const folded = fold(text);
  const key = folded.length <= maxKeyLength ? folded : Array.from(folded).slice(0, maxKeyLength).join('');
  return key === '' ? undefined : key;
}

function sortKeyOf(resource: Resource, by: string): string | undefined {
  const [text] = textsAt(resource, paths.get(by) ?? []);
  return text === undefined ? undefined : toKey(text);
}

/** By name of the sort, to be compared by code points; without missing values. @param names those of the kind, users by default */
export function sortKeys(resource: Resource, names = sortNames): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const name of names) {
    const key = sortKeyOf(resource, name);
    if (key !== undefined) keys.set(name, key);
  }
  return keys;
}

export function positionOf(stored: Stored<Resource>, { by }: Sort = {}): Position {
  const { id } = stored;
  return by === undefined ? { id } : { id, key: sortKeyOf(stored.value, by) };
}

/** Below zero when `one` comes first by code points, as in UTF-8 and MongoDB. JavaScript's own order is by UTF-16 code units. */
export function compareCodePoints(one: string, other: string): number {
  if (one === other) return 0;
  if (!(beyondSurrogates.test(one) && beyondSurrogates.test(other))) return one < other ? -1 : 1;
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** Without both of them the two orders are the same. */
const beyondSurrogates = /[\ud800-\uffff]/;

/** The order of a list, for sorting: below zero when `one` comes first. */
export function comparePositions(one: Position, other: Position, { descending = false }: Sort = {}): number {
  if ((one.key === undefined) !== (other.key === undefined)) return one.key === undefined ? 1 : -1;
  const order = compareCodePoints(one.key ?? '', other.key ?? '') || compareCodePoints(one.id, other.id);
  return descending ? -order : order;
}
