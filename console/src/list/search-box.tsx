import { useEffect, useRef, useState } from 'preact/hooks';
import { changeList, type ListAddress } from '../address/address.ts';
import { goTo } from '../address/navigation.tsx';
import { Icon } from '../parts/icons.tsx';
import { useDebounced } from '../parts/use-debounced.ts';
import { keys, useShortcut } from '../shortcuts/shortcuts.ts';
import { texts } from '../texts/texts.ts';

/** Puts typed text into the address; Back returns to the list as it was before typing began. */
function useTyping(list: ListAddress) {
  const [text, setText] = useState(list.search);
  const isTyping = useRef(false);
  const settled = useDebounced(text);
  const apply = (search: string) => {
    if (search === list.search) return;
    goTo({ list: changeList(list, { search }) }, isTyping.current);
    isTyping.current = true;
  };
  // The address has changed without us.
  useEffect(() => setText(list.search), [list.search]);
  useEffect(() => apply(settled), [settled]);
  return {
    text,
    type: setText,
    applyNow: () => apply(text),
    end() {
      isTyping.current = false;
    },
  };
}

interface SearchBoxProps {
  readonly list: ListAddress;
  /** The accessible name. */
  readonly label: string;
  readonly hint: string;
}

export function SearchBox({ list, label, hint }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const { text, type, applyNow, end } = useTyping(list);
  useShortcut('search', () => input.current?.focus());
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
        onInput={(event) => type(event.currentTarget.value)}
        onBlur={end}
        onKeyDown={(event) => {
          if (event.key === 'Enter') applyNow();
        }}
      />
    </search>
  );
}
