import type { ListAddress } from '../address/address.ts';
import { Link } from '../address/navigation.tsx';
import type { PageLinks } from '../api/page-links.ts';
import { Icon, type IconName } from '../parts/icons.tsx';

const places: readonly (readonly [keyof PageLinks, string, IconName])[] = [
  ['first', 'First page', 'first'],
  ['prev', 'Previous page', 'previous'],
  ['next', 'Next page', 'next'],
  ['last', 'Last page', 'last'],
];

interface PagerProps {
  readonly list: ListAddress;
  readonly links: PageLinks;
}

/** Where the service's links lead. On the first page `first` leads nowhere else, on the last `last`. */
export function Pager({ list, links }: PagerProps) {
  const isOff = (relation: keyof PageLinks): boolean => {
    if (relation === 'first') return links.prev === undefined;
    return links[relation] === undefined || (relation === 'last' && links.next === undefined);
  };
  return (
    <nav class="pager" aria-label="Pages">
      {places.map(([relation, label, icon]) => {
        const cursor = links[relation];
        return cursor === undefined || isOff(relation) ? (
          <span key={relation} class="page-link off" aria-hidden="true">
            <Icon name={icon} />
          </span>
        ) : (
          <Link key={relation} class="page-link" label={label} list={{ ...list, cursor }}>
            <Icon name={icon} />
          </Link>
        );
      })}
    </nav>
  );
}
