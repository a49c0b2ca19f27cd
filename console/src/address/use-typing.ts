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
  const applied = useRef(value);
  const settled = useDebounced(text);
  const apply = (next: string) => {
    if (next === value) return;
    applied.current = next;
    onApply(next, isTyping.current);
    isTyping.current = true;
  };
  // Only when the address has changed for another reason: a key may have followed the text that was applied.
  useEffect(() => {
    if (value !== applied.current) setText(value);
    applied.current = value;
  }, [value]);
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
