/** The orders that a list may have beside that of the ids: one for each field with the annotation `sort`. */
import { fold } from '../unicode/folding.ts';
import { findAnnotatedFields, textsAt } from '../user/annotated-fields.ts';
import type { StoredUser } from '../user/stored-user.ts';
import { User } from '../user/user.ts';

const fields = findAnnotatedFields(User, 'sort');

export const sortNames: readonly string[] = fields.map(({ annotation }) => annotation);

/** Those by what a search looks into as well: whoever's key begins with a term has a word that does. */
export const searchedSorts: ReadonlySet<string> = new Set(
  findAnnotatedFields(User, 'search').flatMap(({ path }) =>
    fields.filter((field) => field.path.join() === path.join()).map(({ annotation }) => annotation),
  ),
);

/** Raise it with any change of what `sortKeys` gives: the keys in stores are then made anew. */
export const sortVersion = 2;

/** In code points. What two texts have beyond it doesn't count: a cursor holds a key, and has to fit into an address. */
const maxKeyLength = 128;

/** The order of a list. Equals are in the order of their ids, which `descending` turns round as well. */
export interface Sort {
  /** One of `sortNames`; left out, the ids alone decide. */
  readonly by?: string | undefined;
  readonly descending?: boolean | undefined;
}

/** A place in a list: that of the user with this key and id, who need not be there. */
export interface Position {
  readonly id: string;
  /** Left out where the list has the order of the ids, and of a user without the value: these come last, whatever the direction. */
  readonly key?: string | undefined;
}

function toKey(text: string): string | undefined {
  const folded = fold(text);
  const key = folded.length <= maxKeyLength ? folded : Array.from(folded).slice(0, maxKeyLength).join('');
  return key === '' ? undefined : key;
}

/** By name of the sort, to be compared by code points; none where the user lacks the value. */
export function sortKeys(user: User): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const { annotation, path } of fields) {
    const [text] = textsAt(user, path);
    const key = text === undefined ? undefined : toKey(text);
    if (key !== undefined) keys.set(annotation, key);
  }
  return keys;
}

export function positionOf(user: StoredUser, { by }: Sort = {}): Position {
  const { id, sortKey } = user;
  if (by === undefined) return { id };
  // Once another program has changed the document, what it says leads elsewhere: to users who were there before, or past others.
  if (sortKey !== undefined) return { id, key: sortKey === '' ? undefined : sortKey };
  return user.isDamaged ? { id } : { id, key: sortKeys(user.user).get(by) };
}

/** Below zero when `one` comes first, as UTF-8 and MongoDB have it. JavaScript's own order is that of UTF-16. */
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
