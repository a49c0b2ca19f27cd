import { useEffect, useRef, useState } from 'preact/hooks';
import { changeList } from '../address/address.ts';
import { goTo, useAddress } from '../address/navigation.tsx';
import { useTyping } from '../address/use-typing.ts';
import { Icon } from '../parts/icons.tsx';
import { keys, useShortcut } from '../shortcuts/shortcuts.ts';
import { texts } from '../texts/texts.ts';
import { moveToRow } from './row-link.tsx';

/** Whether the next search box takes the focus. */
let isWanted = false;

/** Opens the list of users with the cursor in its search. */
export function searchUsers(): void {
  isWanted = true;
  goTo({ view: { name: 'list', kind: 'user' } });
}

interface SearchBoxProps {
  /** The accessible name. */
  readonly label: string;
  readonly hint: string;
  /** The rows still belong to another search. */
  readonly isBusy: boolean;
}

export function SearchBox({ label, hint, isBusy }: SearchBoxProps) {
  const { list } = useAddress();
  const input = useRef<HTMLInputElement>(null);
  const { text, type, applyNow, end } = useTyping(list.search, (search, replaces) =>
    goTo({ list: changeList(list, { search }) }, replaces),
  );
  useShortcut('search', () => input.current?.focus());
  useEffect(() => {
    if (isWanted) input.current?.focus();
    isWanted = false;
  }, []);
  const [isLeaving, setLeaving] = useState(false);
  useEffect(() => {
    if (!isLeaving || isBusy || text !== list.search) return;
    setLeaving(false);
    moveToRow(1);
  });
  return (
    <search class="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={hint}
        title={texts.list.searchHelp}
        aria-keyshortcuts={keys.search}
        maxLength={128}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setLeaving(false);
          type(event.currentTarget.value);
        }}
        onBlur={() => {
          setLeaving(false);
          end();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
          applyNow();
          setLeaving(event.key === 'ArrowDown');
        }}
      />
    </search>
  );
}
