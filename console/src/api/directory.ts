/** The users, over the public API. */
import createClient from 'openapi-fetch';
import type { components, paths } from '../contract.ts';
import { baseUrl } from '../root.ts';
import { type Failure, failureOfAnswer, failureOfError } from './failure.ts';
import { type PageLinks, readLinks } from './page-links.ts';
import { send } from './send.ts';

export type User = components['schemas']['User'];
export type UserInput = components['schemas']['UserInput'];
export type ListQuery = NonNullable<paths['/users']['get']['parameters']['query']>;

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/** A user, and the tag that a change of this state takes. */
export interface Tagged {
  readonly user: User;
  readonly tag: string;
}

export interface Page {
  readonly users: readonly User[];
  readonly links: PageLinks;
}

const client = createClient<paths>({ baseUrl, fetch: send, headers: { Accept: 'application/json' } });

/** The client's answers, as far as all of them are alike. */
interface Answer<T> {
  readonly data?: T | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/** @param take makes the value of a success @param isChange its outcome isn't known where nothing comes back */
async function outcomeOf<T, V>(
  isChange: boolean,
  ask: Promise<Answer<T>>,
  take: (data: T, headers: Headers) => V,
): Promise<Outcome<V>> {
  const mayArrive = isChange && navigator.onLine;
  try {
    const { data, error, response } = await ask;
    if (!response.ok) return { ok: false, failure: failureOfAnswer(response, error) };
    // Of a 204 there is none.
    return { ok: true, value: take(data as T, response.headers) };
  } catch (error) {
    return { ok: false, failure: failureOfError(error, mayArrive) };
  }
}

/** The service's tags are strong. A gateway that compresses answers weakens them, and a weak one would lock nothing. */
const tagged = (user: User, headers: Headers): Tagged => ({
  user,
  tag: (headers.get('ETag') ?? '').replace(/^W\//, ''),
});

export const listUsers = (query: ListQuery, signal: AbortSignal): Promise<Outcome<Page>> =>
  outcomeOf(false, client.GET('/users', { params: { query }, signal }), ({ users }, headers) => ({
    users,
    links: readLinks(headers.get('Link') ?? ''),
  }));

export const countUsers = (query: ListQuery, signal: AbortSignal): Promise<Outcome<number>> =>
  outcomeOf(
    false,
    client.GET('/users', { params: { query: { ...query, limit: 1, total: true } }, signal }),
    ({ total }) => total ?? 0,
  );

export const readUser = (id: string, signal?: AbortSignal): Promise<Outcome<Tagged>> =>
  outcomeOf(false, client.GET('/users/{id}', { params: { path: { id } }, signal: signal ?? null }), tagged);

/** As the service sends it, to the letter. */
export const readText = (id: string, accept: string, signal: AbortSignal): Promise<Outcome<string>> =>
  outcomeOf(
    false,
    client.GET('/users/{id}', {
      params: { path: { id } },
      headers: { Accept: accept },
      parseAs: 'text',
      signal,
    }),
    (text) => text,
  );

export const createUser = (body: UserInput): Promise<Outcome<Tagged>> =>
  outcomeOf(true, client.POST('/users', { body }), tagged);

export const replaceUser = (id: string, tag: string, body: UserInput): Promise<Outcome<Tagged>> =>
  outcomeOf(
    true,
    client.PUT('/users/{id}', { params: { path: { id }, header: { 'If-Match': tag } }, body }),
    tagged,
  );

export const removeUser = (id: string, tag: string): Promise<Outcome<undefined>> =>
  outcomeOf(
    true,
    client.DELETE('/users/{id}', { params: { path: { id }, header: { 'If-Match': tag } } }),
    () => undefined,
  );
