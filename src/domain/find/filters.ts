/**
 * A filter of lists. It matches exactly: one of the resource's keys must equal the key that is asked for. Stores index the keys (keys.ts)
 * and know nothing else of filters, except of the two by membership (owners.ts).
 */

import { textsAt } from '../resource/annotations.ts';
import { fold } from '../unicode/folding.ts';
import type { KindName } from '../validation/errors.ts';

export interface Filter<T = never> {
  /** The keys under which a resource is found. Left out: the filter is by membership, which stores keep beside the documents. */
  keys?(resource: T): readonly string[];
  /** The key for a client's value; undefined when the value is invalid. */
  readonly key: (value: string) => string | undefined;
  /** A client's value with this key. Left out: the key itself. */
  readonly text?: (key: string) => string;
  /** Replaces the general description in the contract. */
  readonly description?: string;
  /** For the contract: the pattern of the values. Left out: any text. */
  readonly pattern?: string;
  /** A value that doesn't match is invalid. The contract's description says so. */
  readonly shape?: RegExp;
  /** The end of "<name> must …" for invalid values. Left out: any text is a value. */
  readonly must?: string;
  /** Many resources may share a key: a store may keep a count for each key. */
  readonly isShared?: boolean;
  /** Clients ask for resources without a key: a store that would have to scan all resources keeps a key for these. */
  readonly findsAbsence?: boolean;
  /** Only one resource of the kind may have a key: the error for others, and the member whose value it is. */
  readonly taken?: { readonly code: `${string}-taken`; readonly pointer: string };
  /** The member whose values it finds, with dots between the names from the root. Left out: that of the filter's name. */
  readonly member?: string;
  /** A list by this filter reveals contents of resources of this kind, so it also needs their read scope. */
  readonly shows?: KindName;
}

/** The name of a filter, as in the query of a list. */
export type FilterName = string;

/** The requested keys, by filter. */
export type Filters = Readonly<Record<FilterName, string>>;

/** For filters by a text without spaces: a client that doesn't encode a `+` would find no one, and create a duplicate. */
export const noSpaces = { shape: /^\S+$/u, must: 'have no spaces; encode a + as %2B' };

/** The parts of filters whose keys are the values themselves. */
export const asIs = (value: string): string => value;

/** Folded as for `search`; undefined when nothing is left. */
export const folded = (value: string): string | undefined => fold(value) || undefined;

/** The parts of a filter by the texts of a member. @param member its path; for a list on the way, the texts of each item */
export function byTexts(member: string, key: Filter['key']) {
  const path = member.split('.');
  const keys = (resource: unknown) => textsAt(resource, path).flatMap((text) => key(text) ?? []);
  return { member, keys, key };
}

export const oneKey = (value: string | undefined): readonly string[] => (value === undefined ? [] : [value]);
