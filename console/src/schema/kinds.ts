/** What the console knows about each kind of resource. Fields and their allowed values come from the published schema. */
import type { components, paths } from '../contract.ts';
import type { JsonObject } from './documents.ts';

export type User = components['schemas']['User'];
export type Group = components['schemas']['Group'];
export type Resource = User | Group;
export type KindName = 'user' | 'group';

type QueryOf<Path extends '/users' | '/groups'> = NonNullable<paths[Path]['get']['parameters']['query']>;
export type ListQuery = QueryOf<'/users'> & QueryOf<'/groups'>;

type SortOf<Path extends '/users' | '/groups'> = NonNullable<QueryOf<Path>['sort']>;
/** Orders of lists, ascending. */
export type SortName = Exclude<SortOf<'/users'> | SortOf<'/groups'>, `-${string}`>;

/** A parameter by a filter of the API: its name, or one of its further forms, such as `manager.exists`. */
export type FilterParameter =
  | Exclude<keyof ListQuery, 'search' | 'sort' | 'limit' | 'after' | 'before' | 'total'>
  | `attributes.${string}`;
/** An exact match of a field's value, the id of a related resource, or an end of a range of times (`created.from`). */
export type FilterName = Exclude<FilterParameter, `${string}.${'in' | 'exists' | 'not'}`>;

/** Filters whose value is the id of a resource, and its kind. */
export const relations: Readonly<Partial<Record<FilterName, KindName>>> = {
  group: 'group',
  member: 'user',
  manager: 'user',
};

/** A person: the id of a user, or a name, or both. */
export const managerPath = 'enterprise.manager';

/** Fields that people give as a day, and which end of it they mean. */
export const days: Readonly<Record<string, 'start' | 'end'>> = { validFrom: 'start', validUntil: 'end' };

const validity: readonly FilterName[] = [
  'validFrom.from',
  'validFrom.to',
  'validUntil.from',
  'validUntil.to',
];
const ranges: readonly FilterName[] = ['lastModified.from', 'lastModified.to', 'created.from', 'created.to'];

/** Filters whose value is a day in the reader's time zone, such as `2026-11-27`, which is included. */
export const isDay = (name: FilterName): boolean => ranges.includes(name) || validity.includes(name);

/** Filters whose value is `true` or `false`. */
export const isFlag = (name: FilterName): boolean => name === 'active';

export interface Kind {
  /** In paths and scopes, and as the member of a list. */
  readonly plural: 'users' | 'groups';
  /** The member by which people know a resource. */
  readonly uniqueName: 'userName' | 'displayName';
  readonly filters: readonly FilterName[];
  readonly usualColumns: readonly string[];
  /** The initial values of a new resource. */
  readonly blank: JsonObject;
}

export const kinds: Readonly<Record<KindName, Kind>> = {
  user: {
    plural: 'users',
    uniqueName: 'userName',
    filters: [
      ...(['active', 'department', 'role', 'userType', 'manager', 'group', 'email', 'userName'] as const),
      ...(['title', 'costCenter', 'employeeNumber', 'city', 'externalId', ...validity, ...ranges] as const),
    ],
    usualColumns: ['displayName', 'title', 'enterprise.department', managerPath, 'active', 'emails'],
    blank: { active: true },
  },
  group: {
    plural: 'groups',
    uniqueName: 'displayName',
    filters: ['member', 'displayName', 'externalId', ...ranges],
    usualColumns: ['displayName', 'description', 'memberCount', 'meta.lastModified'],
    blank: {},
  },
};

export const kindNames = Object.keys(kinds) as readonly KindName[];

/** Identifies a resource: a user and a group may have the same id. */
export interface Ref {
  readonly kind: KindName;
  readonly id: string;
}

export const kindOf = (resource: Resource): KindName => ('userName' in resource ? 'user' : 'group');

export const refOf = (resource: Resource): Ref => ({ kind: kindOf(resource), id: resource.id });

/** The unique name. */
export const nameOf = (resource: Resource): string =>
  'userName' in resource ? resource.userName : resource.displayName;

/** The name for people: a person's name, if it has one. */
export function titleOf(resource: Resource): string {
  if (!('userName' in resource)) return resource.displayName;
  const { displayName, name = {}, userName } = resource;
  const parts = [name.givenName, name.familyName].filter((part) => part !== undefined).join(' ');
  return [displayName, name.formatted, parts].find((text) => text !== undefined && text !== '') ?? userName;
}

/** Without the members that only the service sets, and without a user name that is hidden. */
export function documentOf(resource: Resource): JsonObject {
  const { meta: _meta, memberCount: _count, ...rest } = resource as unknown as JsonObject;
  if (rest.userName !== '') return rest;
  const { userName: _hidden, ...shown } = rest;
  return shown;
}
