/** The pages that a page of the list leads to (RFC 8288, with the relations that its registry names). */
import type { Position } from '../../../domain/find/sorts.ts';
import type { ListQuery, PageStart } from './list-query.ts';

/** A page as it was read. */
export interface PageEnds {
  /** Of its first and its last user; undefined where it has none. */
  readonly first: Position | undefined;
  readonly last: Position | undefined;
  /** Users follow it in the part of the list that was read. */
  readonly more: boolean;
  /** No user stood in front of it when it was read. */
  readonly isFirst: boolean;
}

/** Undefined: none; `first`: the list's beginning. */
type Target = PageStart | 'first' | undefined;

function nextOf({ before }: ListQuery, { last, more }: PageEnds): Target {
  // In front of the place that the page was asked for there was somebody, who stands behind it.
  const isFollowed = more || (before !== undefined && before !== 'end');
  if (!isFollowed) return undefined;
  return last === undefined ? 'first' : { after: last };
}

function previousOf({ after }: ListQuery, { first, isFirst }: PageEnds): Target {
  if (isFirst) return undefined;
  if (first !== undefined) return { before: first };
  // Everybody behind its beginning has gone.
  return after === undefined ? undefined : { before: 'end' };
}

/**
 * The value of `Link`; empty for a list that isn't divided into pages. The next page stands first: there are clients that look for
 * nothing else.
 */
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
