/** The change log, over the public API. */
import type { components, paths } from '../contract.ts';
import { type KindName, kindNames, type Ref } from '../schema/kinds.ts';
import { client, type Outcome, outcomeOf } from './directory.ts';

/** A change, with the values before and after it. */
export type Change = components['schemas']['Change'];

export const kindOfChange = ({ type }: Change): KindName =>
  kindNames.find((kind) => type.startsWith(`${kind}.`)) ?? 'user';

/** From the newest to older ones. */
export interface HistoryPage {
  readonly changes: readonly Change[];
  /** Where the next page begins; undefined behind the oldest change that is kept. */
  readonly next: string | undefined;
}

const toPage = ({ changes, next, more }: components['schemas']['Changes']): HistoryPage => ({
  changes,
  next: more ? next : undefined,
});

const histories = { user: '/users/{id}/history', group: '/groups/{id}/history' } as const;

export interface PageQuery {
  readonly limit: number;
  /** `next` of the page before. */
  readonly after?: string;
}

export const readHistory = (
  { kind, id }: Ref,
  query: PageQuery,
  signal: AbortSignal,
): Promise<Outcome<HistoryPage>> =>
  outcomeOf(false, client.GET(histories[kind], { params: { path: { id }, query }, signal }), toPage);

export type ActivityQuery = NonNullable<paths['/history']['get']['parameters']['query']>;

/** Of all users and groups. A page may be empty although older changes match. */
export const readActivity = (query: ActivityQuery, signal: AbortSignal): Promise<Outcome<HistoryPage>> =>
  outcomeOf(false, client.GET('/history', { params: { query }, signal }), toPage);
