import type { InputHTMLAttributes } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Option } from './choices.ts';

/** Others are found by typing more. */
const maxOffered = 50;

export interface ComboboxProps {
  /** The id of the input. */
  readonly attributes: InputHTMLAttributes<HTMLInputElement> & { readonly id: string };
  readonly label: string;
  /** Shown while nothing is being typed. */
  readonly text: string;
  /** A note on the value, shown while nothing is being typed. */
  readonly note?: string;
  /** Called while the options are shown. @param typed empty before typing */
  readonly find: (typed: string) => readonly Option[];
  readonly onType: (text: string) => void;
  readonly onPick: (option: Option) => void;
  readonly onLeave?: () => void;
}

interface ListboxProps extends Pick<ComboboxProps, 'label' | 'onPick'> {
  readonly id: string;
  readonly options: readonly Option[];
  readonly active: number;
}

function Listbox({ id, label, options, active, onPick }: ListboxProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.scrollIntoView({ block: 'nearest' }), [options.length]);
  useEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active]);
  return (
    <div role="listbox" tabIndex={-1} id={id} aria-label={label} ref={list}>
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus and takes the keys
        <div
          key={option.value}
          role="option"
          tabIndex={-1}
          id={`${id}-${index}`}
          aria-selected={index === active}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(option)}
        >
          <bdi>{option.label}</bdi> {option.note !== option.label && <bdi class="quiet">{option.note}</bdi>}
        </div>
      ))}
    </div>
  );
}

/** Accepts any text, and offers options for it (ARIA's combobox with a list). */
export function Combobox({
  attributes,
  label,
  text,
  note = '',
  find,
  onType,
  onPick,
  onLeave,
}: ComboboxProps) {
  const [typed, setTyped] = useState<string>();
  /** The index of the option that Enter takes; -1: none yet; undefined: the list is closed. */
  const [active, setActive] = useState<number>();
  const offered = active === undefined ? [] : find(typed ?? '').slice(0, maxOffered);
  const option = offered[active ?? -1];
  const listId = `${attributes.id}-options`;
  const close = () => {
    setActive(undefined);
    setTyped(undefined);
  };
  const pick = (picked: Option) => {
    onPick(picked);
    close();
  };
  const move = (step: number) => setActive(Math.max(0, Math.min((active ?? -1) + step, offered.length - 1)));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp' && active !== undefined) move(-1);
    else if (event.key === 'Enter' && option !== undefined) pick(option);
    else if (event.key === 'Escape' && active !== undefined) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="combobox">
      <input
        {...attributes}
        type="text"
        role="combobox"
        aria-expanded={offered.length > 0}
        aria-autocomplete="list"
        aria-controls={offered.length > 0 ? listId : undefined}
        aria-activedescendant={option && `${listId}-${active}`}
        dir="auto"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        value={typed ?? text}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => {
          setActive(-1);
          setTyped(event.currentTarget.value);
          onType(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          close();
          onLeave?.();
        }}
      />
      {offered.length > 0 && (
        <Listbox id={listId} label={label} options={offered} active={active ?? -1} onPick={pick} />
      )}
      {typed === undefined && note !== '' && <span class="hint">{note}</span>}
    </div>
  );
}
