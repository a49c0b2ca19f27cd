import { useLayoutEffect, useState } from 'preact/hooks';

/** In milliseconds after the last key. */
const debounce = 250;

/** The text after a pause in typing. */
export function useDebounced<T extends string | undefined>(text: T): T {
  const [settled, setSettled] = useState(text);
  // At once: other effects wait for the next frame.
  useLayoutEffect(() => {
    const timer = setTimeout(setSettled, debounce, text);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
