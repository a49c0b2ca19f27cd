import { useEffect, useRef, useState } from 'preact/hooks';
import { useDebounced } from '../parts/use-debounced.ts';

interface Typing {
  readonly text: string;
  readonly type: (text: string) => void;
  /** Applies the text before typing pauses. */
  readonly applyNow: () => void;
  /** Call it when the field is left. */
  readonly end: () => void;
}

/**
 * Puts typed text into the address once typing pauses.
 * @param value in the address @param onApply `replaces`: Back returns to the state before typing began
 */
export function useTyping(value: string, onApply: (text: string, replaces: boolean) => void): Typing {
  const [text, setText] = useState(value);
  const isTyping = useRef(false);
  const settled = useDebounced(text);
  const apply = (next: string) => {
    if (next === value) return;
    onApply(next, isTyping.current);
    isTyping.current = true;
  };
  // The address has changed for another reason.
  useEffect(() => setText(value), [value]);
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
