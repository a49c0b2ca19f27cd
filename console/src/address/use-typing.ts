import { useEffect, useRef, useState } from 'preact/hooks';
import { useDebounced } from '../parts/use-debounced.ts';

export interface Typing {
  readonly text: string;
  readonly type: (text: string) => void;
  /** Applies the text before typing pauses. */
  readonly applyNow: () => void;
  /** To be called when the field is left. */
  readonly end: () => void;
}

/**
 * Typed text that goes into the address once typing pauses.
 * @param value as the address has it @param onApply `replaces`: Back is to return to what was there before typing began
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
  // The address has changed without us.
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
