/** The links from a page of the list to other pages (RFC 8288, with registered relations). */
import type { Page } from '../../../domain/store.ts';
import type { ListQuery, PageStart } from './list-query.ts';

type PageEnds = Pick<Page, 'first' | 'last' | 'more'>;

/** `first` is the start of the list; undefined is no page. */
type Target = PageStart | 'first' | undefined;

function nextOf({ before }: ListQuery, { last, more }: PageEnds): Target {
  // A page that ends before a resource is followed by that resource.
  const isFollowed = before === undefined ? more : before !== 'end';
  if (!isFollowed) return undefined;
  return last === undefined ? 'first' : { after: last };
}

function previousOf({ after, before }: ListQuery, { first, more }: PageEnds): Target {
  const isPreceded = before === undefined ? after !== undefined : more;
  if (!isPreceded) return undefined;
  if (first !== undefined) return { before: first };
  // All resources after its start are gone.
  return { before: 'end' };
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
