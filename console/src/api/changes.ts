/** The change log, over the public API. */
import type { components, paths } from '../contract.ts';
import { type KindName, kindNames, type Ref } from '../schema/kinds.ts';
import { ask, type Outcome } from './client.ts';

/** A change, with the values before and after it. */
export type Change = components['schemas']['Change'];

export const kindOfChange = ({ type }: Pick<Change, 'type'>): KindName =>
  kindNames.find((kind) => type.startsWith(`${kind}.`)) ?? 'user';

/** Whether it is a change of the resource, and not one of a group in the history of a user. */
export const isChangeOf = (change: Change, { kind, id }: Ref): boolean =>
  change.id === id && kindOfChange(change) === kind;

/** Newest first. `next` is the cursor of the next page if there are `more`. */
export type HistoryPage = components['schemas']['Changes'];

export type ActivityQuery = NonNullable<paths['/history']['get']['parameters']['query']>;

const histories = { user: '/users/{id}/history', group: '/groups/{id}/history' } as const;

export const readHistory = (
  { kind, id }: Ref,
  query: Pick<ActivityQuery, 'limit' | 'after'>,
  signal: AbortSignal,
): Promise<Outcome<HistoryPage>> =>
  ask('get', histories[kind], { path: { id }, query, signal }, (page) => page);

/** The changes of all users and groups. A page may be empty although older changes match. */
export const readActivity = (query: ActivityQuery, signal: AbortSignal): Promise<Outcome<HistoryPage>> =>
  ask('get', '/history', { query, signal }, (page) => page);
