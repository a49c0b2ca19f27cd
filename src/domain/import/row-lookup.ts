/** The keys by which the resources of an import's rows are looked up. */

import type { Kind } from '../kinds/kind.ts';
import type { Resource } from '../resource/resource.ts';
import type { FoundByKey, StoredResource } from '../store.ts';
import { canonicalUuid, isObject } from '../validation/plain-values.ts';
import type { ImportRow, ImportRules, ImportTarget, MatchMember } from './import-options.ts';

/** A query of the store. */
export interface Lookup {
  readonly by: MatchMember;
  /** In the form of the filters' keys: unique names are mapped. */
  readonly key: string;
}

/** The resources that were found, by lookup. */
export interface Found {
  find(lookup: Lookup | undefined): readonly StoredResource[];
}

type Finder = Pick<ImportTarget, 'findAll' | 'findAllBy'>;

export const tokenOf = ({ by, key }: Lookup): string => `${by}:${key}`;

/** The maximum length, in UTF-16 code units: longer than any key, so that no query has megabytes. */
const maxKeyLength = 1024;

/** Empty counts as absent, as everywhere. */
export function textOf(value: unknown, member: MatchMember): string | undefined {
  const text = isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

export const givenId = (value: unknown): string | undefined => {
  const id = textOf(value, 'id');
  return id && (canonicalUuid(id) ?? id);
};

function findMatch(value: unknown, { kind: { unique }, match }: ImportRules): Lookup | undefined {
  const id = match === 'id' ? givenId(value) : undefined;
  if (id !== undefined) return { by: 'id', key: id };
  const by = match === 'id' ? unique.member : match;
  const key = textOf(value, by);
  return key === undefined ? undefined : { by, key };
}

/** The key of the row's resource; undefined where none can match. */
export function lookupOf({ value, violations }: ImportRow, rules: ImportRules): Lookup | undefined {
  const lookup = violations.length > 0 ? undefined : findMatch(value, rules);
  if (lookup === undefined || lookup.key.length > maxKeyLength) return undefined;
  const { unique } = rules.kind;
  return lookup.by === unique.member ? { ...lookup, key: unique.map(lookup.key) } : lookup;
}

export const nameLookup = ({ unique }: Kind, value: object): Lookup => ({
  by: unique.member,
  key: unique.map(textOf(value, unique.member) ?? ''),
});

export function listTouched(kind: Kind, id: string, value: Partial<Resource>): Lookup[] {
  const externalId = textOf(value, 'externalId');
  return [
    { by: 'id', key: id },
    nameLookup(kind, value),
    ...(externalId === undefined ? [] : [{ by: 'externalId', key: externalId }]),
  ];
}

async function findAllBy(store: Finder, { name, unique }: Kind, by: MatchMember, keys: readonly string[]) {
  if (by !== 'id') return await store.findAllBy(name, by, keys, by === unique.member ? 1 : 2);
  const found = await store.findAll(name, keys);
  return new Map([...found].map(([id, resource]) => [id, [resource]]));
}

/** Finds resources with one query for each member. @param lookups some hundred */
export async function lookUp(
  store: Finder,
  kind: Kind,
  lookups: readonly (Lookup | undefined)[],
): Promise<Found> {
  const keys = new Map<string, Set<string>>();
  for (const lookup of lookups)
    if (lookup !== undefined) keys.set(lookup.by, (keys.get(lookup.by) ?? new Set()).add(lookup.key));
  const found = new Map<string, FoundByKey>();
  for (const [by, wanted] of keys) found.set(by, await findAllBy(store, kind, by, [...wanted]));
  return { find: (lookup) => (lookup && found.get(lookup.by)?.get(lookup.key)) ?? [] };
}

/** The maximum number of keys in each of the two generations, which take a megabyte: those of some 5,000 rows, more than people write by hand. */
const maxTokens = 10_000;

/** Remembers which rows wrote which keys, to name them when a later row has the same key. */
export class RowWriters {
  #recent = new Map<string, string>();
  #older: ReadonlyMap<string, string> = new Map();

  add(tokens: readonly string[], row: string): void {
    for (const token of tokens) this.#recent.set(token, row);
    if (this.#recent.size < maxTokens) return;
    this.#older = this.#recent;
    this.#recent = new Map();
  }

  /** @returns undefined also for a row that is no longer remembered */
  readonly find = (token: string): string | undefined => this.#recent.get(token) ?? this.#older.get(token);
}
