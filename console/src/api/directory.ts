/** Reads and changes users and groups over the public API. */
import type { JsonObject } from '../schema/documents.ts';
import {
  type KindName,
  kindOf,
  type ListQuery,
  type Ref,
  type Resource,
  type User,
} from '../schema/kinds.ts';
import { ask, askText, type Outcome } from './client.ts';
import { type PageLinks, readLinks } from './page-links.ts';

/** A resource, and the tag for changes of this version. */
export interface Tagged {
  readonly resource: Resource;
  readonly tag: string;
}

export interface Page {
  readonly resources: readonly Resource[];
  readonly links: PageLinks;
}

/** A user has a user name, which tells users from groups: it is empty where the access profile hides it. */
const named = (kind: KindName, resource: Resource): Resource =>
  kind === 'user' && !('userName' in resource)
    ? ({ ...resource, userName: '' } as unknown as User)
    : resource;

/** The service's tags are strong. A gateway that compresses responses weakens them, and a weak tag would lock nothing. */
const taggedAs =
  (kind: KindName) =>
  (resource: Resource, headers: Headers): Tagged => ({
    resource: named(kind, resource),
    tag: (headers.get('ETag') ?? '').replace(/^W\//, ''),
  });

const collections = { user: '/users', group: '/groups' } as const;
const items = { user: '/users/{id}', group: '/groups/{id}' } as const;
const restorations = { user: '/users/{id}/restore', group: '/groups/{id}/restore' } as const;

interface ListQuestion {
  readonly kind: KindName;
  readonly query: ListQuery;
}

export const listResources = ({ kind, query }: ListQuestion, signal: AbortSignal): Promise<Outcome<Page>> =>
  ask('get', collections[kind], { query, signal }, (page, headers) => ({
    resources: ('users' in page ? page.users : page.groups).map((one) => named(kind, one)),
    links: readLinks(headers.get('Link') ?? ''),
  }));

export const countResources = (
  { kind, query }: ListQuestion,
  signal: AbortSignal,
): Promise<Outcome<number>> =>
  ask(
    'get',
    collections[kind],
    { query: { ...query, limit: 1, total: true }, signal },
    ({ total }) => total ?? 0,
  );

export const readResource = ({ kind, id }: Ref, signal?: AbortSignal): Promise<Outcome<Tagged>> =>
  ask('get', items[kind], { path: { id }, signal }, taggedAs(kind));

/** The exact text that the service sends. */
export const readText = ({ kind, id }: Ref, accept: string, signal: AbortSignal): Promise<Outcome<string>> =>
  askText('get', items[kind], { path: { id }, header: { Accept: accept }, signal }, (text) => text);

/** @param document not yet checked by the service, here and below @param operation as `Parts` of a request has it */
export const createResource = (
  kind: KindName,
  document: JsonObject,
  operation?: string,
): Promise<Outcome<Tagged>> => ask('post', collections[kind], { body: document, operation }, taggedAs(kind));

const lockedBy = (id: string, tag: string) => ({ path: { id }, header: { 'If-Match': tag } });

export const replaceResource = (
  { resource, tag }: Tagged,
  document: JsonObject,
  operation?: string,
): Promise<Outcome<Tagged>> =>
  ask(
    'put',
    items[kindOf(resource)],
    { ...lockedBy(resource.id, tag), body: document, operation },
    taggedAs(kindOf(resource)),
  );

/** @param isErased its values in the change log are erased as well */
export const removeResource = (
  { kind, id }: Ref,
  tag: string,
  isErased: boolean,
  operation?: string,
): Promise<Outcome<undefined>> =>
  ask(
    'delete',
    items[kind],
    { ...lockedBy(id, tag), query: isErased ? { erase: true } : {}, operation },
    () => undefined,
  );

/** Brings back what was deleted. */
export const restoreResource = (
  { kind, id }: Ref,
  hasMemberships: boolean,
  operation?: string,
): Promise<Outcome<Tagged>> =>
  ask(
    'post',
    restorations[kind],
    { path: { id }, query: hasMemberships ? {} : { memberships: 'none' }, operation },
    taggedAs(kind),
  );

/** Adds a user to a group, or removes it. Takes no lock, and may be sent again. */
export const changeMember = (
  method: 'put' | 'delete',
  id: string,
  user: string,
  operation?: string,
): Promise<Outcome<undefined>> =>
  ask(method, '/groups/{id}/members/{user}', { path: { id, user }, operation }, () => undefined);
