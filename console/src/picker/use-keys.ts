import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface KeysOptions {
  /** The text in the field. */
  readonly text: string;
  /** The options for the text are still being loaded. */
  readonly isBusy: boolean;
  /** Called for Enter in the field, once the options are loaded. */
  readonly take: () => void;
  /** The form handles Enter. */
  readonly isOfForm?: boolean;
}

/** Keys in a text field and on the buttons below it, which offer values: arrows move between them, Enter takes a value. */
export function useKeys({ text, isBusy, take, isOfForm = false }: KeysOptions) {
  /** The text for which Enter was pressed. */
  const [taken, setTaken] = useState<string>();
  useEffect(() => {
    if (taken === undefined || (taken === text && isBusy)) return;
    setTaken(undefined);
    // A person who continues to type has not chosen a value.
    if (taken === text) take();
  }, [taken, text, isBusy]);
  return (event: TargetedKeyboardEvent<HTMLElement>) => {
    const { key, target, currentTarget } = event;
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    const stops = [...currentTarget.querySelectorAll<HTMLElement>('input, button')];
    const next = stops[stops.indexOf(target as HTMLElement) + step];
    // This Enter ends the input of a Japanese or Chinese word.
    if (event.isComposing) return;
    const isTaking = key === 'Enter' && target instanceof HTMLInputElement && !isOfForm && text.trim() !== '';
    if (isTaking && !event.repeat) setTaken(text);
    else if (step !== 0 && next !== undefined) next.focus();
    // When held down, Enter takes one value, and does not submit the form.
    else if (key !== 'Enter' || !event.repeat) return;
    event.preventDefault();
  };
}
