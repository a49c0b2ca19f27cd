/** The links from a page of the list to other pages (RFC 8288, with registered relations). */
import type { Position } from '../../../domain/find/sorts.ts';
import type { ListQuery, PageStart } from './list-query.ts';

/** A page, as read. */
export interface PageEnds {
  /** The positions of its first and last user; undefined for an empty page. */
  readonly first: Position | undefined;
  readonly last: Position | undefined;
  /** Users follow the page in the part of the list that was read. */
  readonly more: boolean;
  /** No user preceded the page when it was read. */
  readonly isFirst: boolean;
}

/** `first` is the start of the list; undefined is no page. */
type Target = PageStart | 'first' | undefined;

function nextOf({ before }: ListQuery, { last, more }: PageEnds): Target {
  // A page that ends before a user is followed by that user.
  const isFollowed = more || (before !== undefined && before !== 'end');
  if (!isFollowed) return undefined;
  return last === undefined ? 'first' : { after: last };
}

function previousOf({ after }: ListQuery, { first, isFirst }: PageEnds): Target {
  if (isFirst) return undefined;
  if (first !== undefined) return { before: first };
  // All users after its start are gone.
  return after === undefined ? undefined : { before: 'end' };
}

/** The value of `Link`; empty for a list without pages. `next` is the first link, since some clients look for nothing else. */
export function linksOf(query: ListQuery, page: PageEnds, url: string): string {
  if (query.limit === undefined) return '';
  const targets: readonly (readonly [relation: string, target: Target])[] = [
    ['next', nextOf(query, page)],
    ['prev', previousOf(query, page)],
    ['first', 'first'],
    ['last', { before: 'end' }],
  ];
  return targets
    .flatMap(([relation, target]) =>
      target === undefined
        ? []
        : [`<${url}?${query.queryOf(target === 'first' ? undefined : target)}>; rel="${relation}"`],
    )
    .join(', ');
}
