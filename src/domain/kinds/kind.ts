/**
 * A kind of resource, as a value: what stores, use cases, APIs and formats know of users, of groups and of any other kind. All kinds are
 * made once, at the start (kinds.ts), and passed on; nothing outside this folder names one.
 *
 * A definition gives what only the kind knows: its schema, its unique name, its filters and rules. The rest follows from the annotations
 * on the schema's fields (resource/annotations.ts): sorts, search, and the keys by which stores index the resources (find/keys.ts).
 */

import type { TObject } from 'typebox';
import { declaredSearches } from '../find/building.ts';
import type { Filter, FilterName } from '../find/filters.ts';
import { type FilterKey, type KeyRules, type Keys, parkedName, uniqueRule } from '../find/keys.ts';
import { searchTextOf, searchVersion } from '../find/search.ts';
import {
  nextAtSort,
  type Position,
  rangeTypeOf,
  type Sort,
  sortKeyAt,
  sortVersion,
  toSortKey,
} from '../find/sorts.ts';
import { findAnnotatedFields } from '../resource/annotations.ts';
import { type Builder, type BuildRules, builder } from '../resource/build.ts';
import { type Projection, projectionOf, textsOnly } from '../resource/projection.ts';
import type { Resource, Viewer } from '../resource/resource.ts';
import type { Stored } from '../resource/stored.ts';
import type { AttributeTypeName } from '../validation/attribute-types.ts';
import { type DomainError, type KindName, memberTaken, type Violation } from '../validation/errors.ts';

/** The member whose value only one resource of the kind may have. Its keys are those of the filter with the same name. */
interface UniqueName<T extends Resource> extends Pick<BuildRules<T>['unique'], 'findFault'> {
  readonly member: string & keyof T;
  /** Two names are equal if their mappings are equal. */
  readonly map: (name: string) => string;
  /** Raise it with any change of the mapping: stores then map all names again. */
  readonly version: number;
  /** The code of the error when another resource has the name. */
  readonly taken: `${string}-taken`;
}

/** The id of a user in another resource. */
export interface UserReference {
  readonly pointer: string;
  readonly id: string;
}

/** @param there ids of users */
export const findLost = (
  references: readonly UserReference[],
  there: { has(id: string): boolean },
): readonly Violation[] =>
  references
    .filter(({ id }) => !there.has(id))
    .map(({ pointer }) => ({ pointer, detail: 'belongs to no user' }));

export interface KindDefinition<T extends Resource, I extends object = object>
  extends Omit<BuildRules<T>, 'unique' | 'projection'> {
  readonly unique: UniqueName<T>;
  /** The schema that clients see. Left out: the stored schema. */
  readonly shown?: TObject;
  /** The filters, by the name of their query parameter. */
  readonly filters: Readonly<Record<FilterName, Filter<T>>>;
  /** The kind whose resources are members of this one's, if any. */
  readonly members?: KindName;
  /** Members whose values the change log leaves out: they are large. */
  readonly unlogged?: readonly string[];
  /** The users that it refers to, each of which must exist when it is written; left out: none. @param before the resource that it replaces */
  readonly references?: (resource: T, before: T | undefined) => readonly UserReference[];
  /** For texts without a value: names the type of the input. */
  readonly inputs?: I;
}

export interface Kind<T extends Resource = Resource, I extends object = object> extends KindDefinition<T, I> {
  /** `users`: in paths, scopes, collections and tables. */
  readonly plural: string;
  readonly shown: TObject;
  readonly unlogged: readonly string[];
  /** JSON Pointers to its maps: names in them are the client's own, and as personal as values. */
  readonly maps: readonly string[];
  readonly filterNames: readonly FilterName[];
  /** Filters whose values many resources share. */
  readonly sharedFilters: ReadonlySet<FilterName>;
  /** Filters with `findsAbsence`. */
  readonly absenceFilters: readonly FilterName[];
  /** The codes of conflicts besides `id-taken`. */
  readonly takenCodes: readonly `${string}-taken`[];
  /** Filters with `taken`: stores refuse a key that another resource of the kind has. */
  readonly uniqueFilters: readonly FilterName[];
  /** The sorts that clients may ask for. */
  readonly sortNames: readonly string[];
  /** Those of `sortNames` that have ranges, such as `created.from` and `created.to`, with the type of their ends. */
  readonly ranges: ReadonlyMap<string, AttributeTypeName>;
  /** The sorts of stores: those of clients, and `nextAt`, if time changes the kind's resources. */
  readonly keptSorts: readonly string[];
  readonly builder: Builder<T, I>;
  /** The builder for a client that doesn't see, or may not change, all members; for others it is `builder`. */
  builderFor(viewer: Viewer): Builder<T, I>;
  /** Shows a resource as the client sees it. @throws DomainError `damaged` */
  viewFor(viewer: Viewer): (stored: Stored<T>) => Stored<T>;
  /** The members that a client sees and may change; undefined if these are all. */
  projectionFor(viewer: Viewer): Projection | undefined;
  readonly keyRules: KeyRules;
  makeKeys(resource: T): Keys;
  /** For a rebuild: a resource that can't be read is found only by its id until it is repaired, and comes last in each order. */
  makeKeysOf(id: string, stored: Stored<T>): Keys;
  /** The key of a resource for one of `keptSorts`. */
  keyOf(resource: T, sort: string): string | undefined;
  positionOf(stored: Stored<T>, sort?: Sort): Position;
  nameTaken(): DomainError;
  keyTaken(filter: FilterName): DomainError;
  /** Those of the keys that no other resource may have. */
  uniqueKeysOf(keys: Keys): readonly FilterKey[];
}

type Projections = Map<string | undefined, Projection | undefined>;

export function defineKind<T extends Resource, I extends object>(
  definition: KindDefinition<T, I>,
): Kind<T, I> {
  const { name, schema, unique, filters } = definition;
  const { times } = definition;
  const sortFields = findAnnotatedFields(schema, 'sort');
  const sorts = new Map(sortFields.map((field) => [field.annotation, field]));
  const keptSorts = [...sorts.keys(), ...(times === undefined ? [] : [nextAtSort])];
  const keyOf = (resource: T, sort: string): string | undefined => {
    const field = sorts.get(sort);
    if (field !== undefined) return sortKeyAt(resource, field);
    if (sort !== nextAtSort) return undefined;
    const next = times?.nextAt(resource);
    return next === undefined ? undefined : toSortKey(next);
  };
  const searchText = searchTextOf<T>(schema);
  // Profiles change while the service runs, and versions don't.
  const [made, projections] = [new WeakMap<object, Builder<T, I>>(), new WeakMap<object, Projections>()];
  // On first use: threads of stores need none, and compiling a validator takes time.
  const builderOf = (projection?: Projection): Builder<T, I> => {
    const known = made.get(projection ?? definition) ?? builder<T, I>({ ...definition, projection });
    made.set(projection ?? definition, known);
    return known;
  };
  const makeProjection = ({ contract, access }: Viewer): Projection | undefined => {
    const fixed = ['id', ...definition.readOnly];
    const projection = projectionOf(schema, { contract, access: access?.of(name), fixed });
    return contract === undefined ? projection : textsOnly(schema, contract, projection);
  };
  const projectionFor = (viewer: Viewer): Projection | undefined => {
    const { contract, access } = viewer;
    if (contract === undefined && access === undefined) return undefined;
    const members = access?.of(name).named ?? definition;
    const byContract: Projections = projections.get(members) ?? new Map();
    projections.set(members, byContract);
    if (!byContract.has(contract)) byContract.set(contract, makeProjection(viewer));
    return byContract.get(contract);
  };
  const uniqueFilters = Object.keys(filters).filter((filter) => filters[filter]?.taken);
  const makeKeys = (resource: T): Keys => ({
    name: unique.map(String(resource[unique.member])),
    filters: makeFilterKeys(filters, resource),
    search: searchText(resource),
    sorts: makeSortKeys(keptSorts, (sort) => keyOf(resource, sort)),
  });
  return {
    ...definition,
    plural: `${name}s`,
    shown: definition.shown ?? schema,
    unlogged: definition.unlogged ?? [],
    maps: findAnnotatedFields(schema, 'entry').map(({ path }) => `/${path.join('/')}`),
    filterNames: Object.keys(filters),
    sharedFilters: new Set(Object.keys(filters).filter((filter) => filters[filter]?.isShared)),
    absenceFilters: Object.keys(filters).filter((filter) => filters[filter]?.findsAbsence),
    uniqueFilters,
    takenCodes: [
      unique.taken,
      ...new Set(uniqueFilters.flatMap((filter) => filters[filter]?.taken?.code ?? [])),
    ],
    sortNames: [...sorts.keys()],
    ranges: new Map(
      sortFields.flatMap((field) => {
        const type = rangeTypeOf(field);
        return type === undefined ? [] : [[field.annotation, type] as const];
      }),
    ),
    keptSorts,
    get builder() {
      return builderOf();
    },
    builderFor: (viewer) => builderOf(projectionFor(viewer)),
    viewFor(viewer) {
      const projection = projectionFor(viewer);
      return (stored) => (projection === undefined ? stored : stored.showBy(projection.showText));
    },
    projectionFor,
    keyRules: {
      mapping: unique.version,
      indexes: [
        ...Object.keys(filters),
        `search.${searchVersion}`,
        ...declaredSearches(schema),
        ...keptSorts.map((sort) => `sort.${sort}.${sortVersion}`),
        ...uniqueFilters.map(uniqueRule),
      ],
    },
    makeKeys,
    makeKeysOf(id, stored) {
      try {
        return makeKeys(stored.value);
      } catch {
        return { name: parkedName(id), filters: [], search: '', sorts: new Map() };
      }
    },
    keyOf,
    positionOf: (stored, { by } = {}) =>
      by === undefined ? { id: stored.id } : { id: stored.id, key: keyOf(stored.value, by) },
    nameTaken: () => memberTaken(name, unique.member, unique.taken),
    keyTaken(filter) {
      const { code, pointer } = filters[filter]?.taken ?? { code: unique.taken, pointer: '' };
      return memberTaken(name, pointer.slice(pointer.lastIndexOf('/') + 1), code, pointer);
    },
    uniqueKeysOf: (keys) =>
      uniqueFilters.length === 0 ? [] : keys.filters.filter(([filter]) => uniqueFilters.includes(filter)),
  };
}

function makeFilterKeys<T>(
  filters: Readonly<Record<FilterName, Filter<T>>>,
  resource: T,
): readonly FilterKey[] {
  const pairs: FilterKey[] = [];
  for (const [filter, { keys }] of Object.entries(filters))
    for (const key of keys === undefined ? [] : new Set(keys(resource))) pairs.push([filter, key]);
  return pairs;
}

function makeSortKeys(
  sorts: readonly string[],
  keyOf: (sort: string) => string | undefined,
): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const name of sorts) {
    const key = keyOf(name);
    if (key !== undefined) keys.set(name, key);
  }
  return keys;
}
