import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface KeysOptions {
  /** In the field. */
  readonly text: string;
  /** What the text finds has not come yet. */
  readonly isBusy: boolean;
  /** Called for Enter in the field, once that has come. */
  readonly take: () => void;
  /** Enter is left to the form. */
  readonly isOfForm?: boolean;
}

/** Keys around a text field and the buttons below it that offer values: arrows lead from one to the other, Enter takes a value. */
export function useKeys({ text, isBusy, take, isOfForm = false }: KeysOptions) {
  /** The text for which Enter was pressed. */
  const [taken, setTaken] = useState<string>();
  useEffect(() => {
    if (taken === undefined || (taken === text && isBusy)) return;
    setTaken(undefined);
    // A person who types on has taken nothing.
    if (taken === text) take();
  }, [taken, text, isBusy]);
  return (event: TargetedKeyboardEvent<HTMLElement>) => {
    const { key, target, currentTarget } = event;
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    const stops = [...currentTarget.querySelectorAll<HTMLElement>('input, button')];
    const next = stops[stops.indexOf(target as HTMLElement) + step];
    // It ends the input of a Japanese or Chinese word.
    if (event.isComposing) return;
    const isTaking = key === 'Enter' && target instanceof HTMLInputElement && !isOfForm && text.trim() !== '';
    if (isTaking && !event.repeat) setTaken(text);
    else if (step !== 0 && next !== undefined) next.focus();
    // Held down, Enter takes one value, and sends no form.
    else if (key !== 'Enter' || !event.repeat) return;
    event.preventDefault();
  };
}
