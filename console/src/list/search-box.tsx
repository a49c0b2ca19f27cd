import { useRef } from 'preact/hooks';
import { changeList, type ListAddress } from '../address/address.ts';
import { goTo } from '../address/navigation.tsx';
import { useTyping } from '../address/use-typing.ts';
import { Icon } from '../parts/icons.tsx';
import { keys, useShortcut } from '../shortcuts/shortcuts.ts';
import { texts } from '../texts/texts.ts';

interface SearchBoxProps {
  readonly list: ListAddress;
  /** The accessible name. */
  readonly label: string;
  readonly hint: string;
}

export function SearchBox({ list, label, hint }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const { text, type, applyNow, end } = useTyping(list.search, (search, replaces) =>
    goTo({ list: changeList(list, { search }) }, replaces),
  );
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
