import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Option } from './choices.ts';

/** Others are found by typing more. */
const maxOffered = 50;

export interface ComboboxProps {
  /** The id of the input. */
  readonly attributes: InputHTMLAttributes<HTMLInputElement> & { readonly id: string };
  /** Names the options. */
  readonly label: string;
  /** Shown while nothing is being typed. */
  readonly text: string;
  /** A note on the value, shown while nothing is being typed. */
  readonly note?: string;
  /** The options always stand below the input. Otherwise they appear over what follows, when a person types or presses an arrow. */
  readonly isInline?: boolean;
  /** Called while the options are shown. @param typed empty before typing */
  readonly find: (typed: string) => readonly Option[];
  /** The options for the text are still being found. */
  readonly isBusy?: boolean;
  readonly onType: (text: string) => void;
  readonly onPick: (option: Option) => void;
  /** Called for Enter without a chosen option, once the options for the text are found. Omitted: the form handles Enter. */
  readonly onEnter?: (() => void) | undefined;
  readonly onLeave?: () => void;
}

interface ListboxProps extends Pick<ComboboxProps, 'label' | 'onPick'> {
  readonly id: string;
  readonly options: readonly Option[];
  readonly active: number;
}

function Listbox({ id, label, options, active, onPick }: ListboxProps) {
  const list = useRef<HTMLDivElement>(null);
  const show = (element: Element | null | undefined) => element?.scrollIntoView({ block: 'nearest' });
  useEffect(() => show(list.current), [options.length]);
  useEffect(() => show(list.current?.children[active]), [active]);
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
export function Combobox(props: ComboboxProps) {
  const { attributes, label, text, note = '', isInline = false, isBusy = false } = props;
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string>();
  /** The index of the option that Enter takes; -1: none yet; undefined: the list is closed. */
  const [active, setActive] = useState<number>();
  /** The text for which Enter was pressed. */
  const [entered, setEntered] = useState<string>();
  const shown = typed ?? text;
  const isOpen = isInline || active !== undefined;
  const offered = isOpen ? props.find(typed ?? '').slice(0, maxOffered) : [];
  const option = offered[active ?? -1];
  const listId = `${attributes.id}-options`;
  const close = () => {
    setActive(undefined);
    setTyped(undefined);
  };
  const settle = (done: () => void) => {
    done();
    close();
    if (!isInline) return;
    // The next text replaces this one.
    input.current?.focus();
    input.current?.select();
  };
  // The name of a user is loaded after their id: what is typed replaces the name, too.
  useLayoutEffect(() => {
    if (typed === undefined && document.activeElement === input.current) input.current?.select();
  }, [text]);
  const pick = (picked: Option) => settle(() => props.onPick(picked));
  useEffect(() => {
    if (entered === undefined || (entered === shown && isBusy)) return;
    setEntered(undefined);
    // A person who continues to type has not chosen a value.
    if (entered === shown) settle(() => props.onEnter?.());
  }, [entered, shown, isBusy]);
  const move = (step: number) => setActive(Math.max(0, Math.min((active ?? -1) + step, offered.length - 1)));
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, repeat, isComposing } = event;
    // This Enter ends the input of a Japanese or Chinese word.
    if (isComposing) return;
    if (key === 'ArrowDown') move(1);
    else if (key === 'ArrowUp' && isOpen) move(-1);
    // When held down, Enter takes one value, and does not submit the form.
    else if (key === 'Enter' && option !== undefined) !repeat && pick(option);
    else if (key === 'Enter' && props.onEnter !== undefined) !repeat && setEntered(shown);
    else if (key === 'Escape' && !isInline && isOpen) close();
    else if (key !== 'Enter' || !repeat) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class={`combobox ${isInline ? 'inline' : ''}`} aria-busy={isBusy}>
      <input
        {...attributes}
        ref={input}
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
        value={shown}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => {
          setActive(-1);
          setTyped(event.currentTarget.value);
          props.onType(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          close();
          props.onLeave?.();
        }}
      />
      {offered.length > 0 && (
        <Listbox id={listId} label={label} options={offered} active={active ?? -1} onPick={pick} />
      )}
      {typed === undefined && note !== '' && <span class="hint">{note}</span>}
    </div>
  );
}

interface LabelledProps extends Omit<ComboboxProps, 'attributes'> {
  readonly attributes?: InputHTMLAttributes<HTMLInputElement>;
  /** The name of the field, if the options have another one. */
  readonly name?: ComponentChildren;
  /** Stands below. */
  readonly children?: ComponentChildren;
}

/** With its label, outside of the form of a resource. */
export function LabelledCombobox({ name, attributes, children, ...props }: LabelledProps) {
  const id = useId();
  return (
    <div class="field">
      <span>
        <label for={id}>{name ?? props.label}</label>
      </span>
      <Combobox {...props} attributes={{ ...attributes, id }} />
      {children}
    </div>
  );
}
