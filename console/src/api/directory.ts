/** Reads and changes users and groups over the public API. */
import createClient from 'openapi-fetch';
import type { paths } from '../contract.ts';
import { baseUrl } from '../root.ts';
import type { JsonObject } from '../schema/documents.ts';
import { type KindName, kindOf, type ListQuery, type Ref, type Resource } from '../schema/kinds.ts';
import { type Failure, failureOfAnswer, failureOfError } from './failure.ts';
import { type PageLinks, readLinks } from './page-links.ts';
import { send } from './send.ts';

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/** A resource, and the tag for changes of this version. */
export interface Tagged {
  readonly resource: Resource;
  readonly tag: string;
}

export interface Page {
  readonly resources: readonly Resource[];
  readonly links: PageLinks;
}

export const client = createClient<paths>({ baseUrl, fetch: send, headers: { Accept: 'application/json' } });

/** The common part of all responses of the client. */
interface Answer<T> {
  readonly data?: T | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/** @param take makes the value of a success @param isChange without a response, its outcome is unknown */
export async function outcomeOf<T, V>(
  isChange: boolean,
  ask: Promise<Answer<T>>,
  take: (data: T, headers: Headers) => V,
): Promise<Outcome<V>> {
  const mayArrive = isChange && navigator.onLine;
  try {
    const { data, error, response } = await ask;
    if (!response.ok) return { ok: false, failure: failureOfAnswer(response, error) };
    // A 204 has no content.
    return { ok: true, value: take(data as T, response.headers) };
  } catch (error) {
    return { ok: false, failure: failureOfError(error, mayArrive) };
  }
}

/** The service's tags are strong. A gateway that compresses responses weakens them, and a weak tag would lock nothing. */
const tagged = (resource: Resource, headers: Headers): Tagged => ({
  resource,
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
  outcomeOf(false, client.GET(collections[kind], { params: { query }, signal }), (data, headers) => ({
    resources: 'users' in data ? data.users : data.groups,
    links: readLinks(headers.get('Link') ?? ''),
  }));

export const countResources = (
  { kind, query }: ListQuestion,
  signal: AbortSignal,
): Promise<Outcome<number>> =>
  outcomeOf(
    false,
    client.GET(collections[kind], { params: { query: { ...query, limit: 1, total: true } }, signal }),
    ({ total }) => total ?? 0,
  );

export const readResource = ({ kind, id }: Ref, signal?: AbortSignal): Promise<Outcome<Tagged>> =>
  outcomeOf(false, client.GET(items[kind], { params: { path: { id } }, signal: signal ?? null }), tagged);

/** The exact text that the service sends. */
export const readText = ({ kind, id }: Ref, accept: string, signal: AbortSignal): Promise<Outcome<string>> =>
  outcomeOf(
    false,
    client.GET(items[kind], {
      params: { path: { id } },
      headers: { Accept: accept },
      parseAs: 'text',
      signal,
    }),
    (text) => text,
  );

/** @param document not yet checked by the service, here and below */
export const createResource = (kind: KindName, document: JsonObject): Promise<Outcome<Tagged>> =>
  outcomeOf(true, client.POST(collections[kind], { body: document as never }), tagged);

const lockedBy = (id: string, tag: string) => ({ path: { id }, header: { 'If-Match': tag } });

export const replaceResource = ({ resource, tag }: Tagged, document: JsonObject): Promise<Outcome<Tagged>> =>
  outcomeOf(
    true,
    client.PUT(items[kindOf(resource)], { params: lockedBy(resource.id, tag), body: document as never }),
    tagged,
  );

/** @param isErased its values in the change log are erased as well */
export const removeResource = (
  { kind, id }: Ref,
  tag: string,
  isErased: boolean,
): Promise<Outcome<undefined>> =>
  outcomeOf(
    true,
    client.DELETE(items[kind], {
      params: { ...lockedBy(id, tag), query: isErased ? { erase: true } : {} },
    }),
    () => undefined,
  );

/** Brings back what was deleted. */
export const restoreResource = ({ kind, id }: Ref, hasMemberships: boolean): Promise<Outcome<Tagged>> =>
  outcomeOf(
    true,
    client.POST(restorations[kind], {
      params: { path: { id }, query: hasMemberships ? {} : { memberships: 'none' } },
    }),
    tagged,
  );

/** Adds a user to a group, or removes it. Takes no lock, and may be sent again. */
export const changeMember = (
  method: 'put' | 'delete',
  id: string,
  user: string,
): Promise<Outcome<undefined>> =>
  outcomeOf(
    true,
    client.request(method, '/groups/{id}/members/{user}', { params: { path: { id, user } } }),
    () => undefined,
  );
