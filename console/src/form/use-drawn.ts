import { useEffect, useState } from 'preact/hooks';

/** Entries of a list that are drawn together with the form. */
const first = 8;

/** How many entries to draw: a user may have hundreds, and the form doesn't wait for those at the end. */
export function useDrawn(count: number): number {
  const [isWhole, setWhole] = useState(count <= first);
  // Runs after the first drawing.
  useEffect(() => setWhole(true), []);
  return isWhole ? count : first;
}
