import { useEffect, useRef } from 'preact/hooks';
import { type Cursor, changeList, type ListAddress, usualSize } from '../address/address.ts';
import { goTo, Link, useAddress } from '../address/navigation.tsx';
import type { PageLinks } from '../api/page-links.ts';
import { printNumber } from '../language.ts';
import { Select } from '../parts/fields.tsx';
import { Icon } from '../parts/icons.tsx';
import type { KindName } from '../schema/kinds.ts';
import { useShortcut } from '../shortcuts/shortcuts.ts';
import { texts } from '../texts/texts.ts';
import { remember, withRemembered } from '../views/remembered.ts';
import { moveToRow } from './row-link.tsx';
import type { Range } from './total.tsx';

const places = ['first', 'prev', 'next', 'last'] as const;

interface PagerProps {
  readonly links: PageLinks;
  /** Undefined where it isn't known. */
  readonly range: Range | undefined;
}

/** Adds the position, from the range of this page. */
function placed(cursor: Cursor, relation: keyof PageLinks, range: Range | undefined): Cursor {
  if (range === undefined || relation === 'first' || relation === 'last') return cursor;
  return { ...cursor, position: relation === 'next' ? range.to : range.from - 1 };
}

/** The service's links; none for a list of one page. On the first page, `first` is the current page; on the last page, `last` is. */
export function Pager({ links, range }: PagerProps) {
  const { list } = useAddress();
  const isOff = (relation: keyof PageLinks): boolean => {
    if (relation === 'first') return links.prev === undefined;
    return links[relation] === undefined || (relation === 'last' && links.next === undefined);
  };
  const leadTo = (relation: keyof PageLinks): ListAddress =>
    isOff(relation) ? list : { ...list, cursor: placed(links[relation] ?? {}, relation, range) };
  const isTurning = useRef(false);
  const turn = (relation: keyof PageLinks) => () => {
    isTurning.current = true;
    goTo({ list: leadTo(relation) });
  };
  useShortcut('nextPage', isOff('next') ? undefined : turn('next'));
  useShortcut('previousPage', isOff('prev') ? undefined : turn('prev'));
  // The row with the focus is gone. If the person has moved the focus meanwhile, it stays there.
  useEffect(() => {
    if (isTurning.current && document.activeElement?.matches('body, #main, .rows *')) moveToRow(1);
    isTurning.current = false;
  }, [links]);
  if (links.prev === undefined && links.next === undefined) return null;
  return (
    <nav class="pager" aria-label={texts.list.pages}>
      {places.map((relation) => (
        <Link
          key={relation}
          class="button page-link"
          label={texts.list.page[relation]}
          list={leadTo(relation)}
          isOff={isOff(relation)}
        >
          <Icon name={relation} />
        </Link>
      ))}
    </nav>
  );
}

const usualSizes = [25, usualSize, 100, 250];

/** The number of rows of a page. A number from the address is offered, too. */
export function PageSize({ kind }: { readonly kind: KindName }) {
  const { size: _own, ...others } = useAddress().list;
  const { size = usualSize } = withRemembered(kind, useAddress().list);
  const sizes = [...new Set([...usualSizes, size])].sort((one, other) => one - other);
  const choose = (next: number) => {
    remember(kind, { size: next === usualSize ? undefined : next });
    goTo({ list: changeList(others, next === usualSize ? {} : { size: next }) });
  };
  return (
    <Select
      class="page-size"
      label={texts.list.perPage}
      value={String(size)}
      options={sizes.map((one) => [String(one), printNumber(one)])}
      onChoose={(next) => choose(Number(next))}
    />
  );
}
