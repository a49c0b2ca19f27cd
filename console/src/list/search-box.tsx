import { useEffect, useRef, useState } from 'preact/hooks';
import { changeList, type ListAddress } from '../address/address.ts';
import { goTo } from '../address/navigation.tsx';
import { Icon } from '../parts/icons.tsx';

/** In milliseconds after the last key. */
const debounce = 250;

/** Presses of `/` elsewhere than in a field lead here. */
function useShortcut(focus: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isInField =
        event.target instanceof Element && event.target.closest('input, textarea, select, dialog');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isInField) return;
      event.preventDefault();
      focus();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

/** What is typed goes into the address; Back leads to where one was before the typing began. */
function useTyping({ list }: { readonly list: ListAddress }) {
  const [text, setText] = useState(list.search);
  const latest = useRef(list);
  latest.current = list;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isTyping = useRef(false);
  // The address has changed without us.
  useEffect(() => {
    clearTimeout(timer.current);
    setText(list.search);
  }, [list.search]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const apply = (search: string) => {
    if (search === latest.current.search) return;
    goTo({ list: changeList(latest.current, { search }) }, isTyping.current);
    isTyping.current = true;
  };
  return {
    text,
    type(search: string) {
      setText(search);
      clearTimeout(timer.current);
      timer.current = setTimeout(apply, debounce, search);
    },
    applyNow() {
      clearTimeout(timer.current);
      apply(text);
    },
    end() {
      isTyping.current = false;
    },
  };
}

export function SearchBox({ list }: { readonly list: ListAddress }) {
  const input = useRef<HTMLInputElement>(null);
  const { text, type, applyNow, end } = useTyping({ list });
  useShortcut(() => input.current?.focus());
  return (
    <search class="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label="Search users"
        placeholder="Search names, addresses, numbers…"
        title="Each word is found at the beginning of a word of the user. Press / to come here."
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
