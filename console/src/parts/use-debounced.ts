import { useLayoutEffect, useState } from 'preact/hooks';

/** In milliseconds after the last key. */
const debounce = 250;

/** The text after a pause in typing. @param pause in milliseconds */
export function useDebounced<T extends string | undefined>(text: T, pause = debounce): T {
  const [settled, setSettled] = useState(text);
  // At once: other effects wait for the next frame.
  useLayoutEffect(() => {
    const timer = setTimeout(setSettled, pause, text);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
