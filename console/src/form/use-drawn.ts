import { useEffect, useState } from 'preact/hooks';

/** Number of list entries drawn with the form, and added by each further turn. */
const first = 3;
const perTurn = 50;

/** Lists that are not drawn completely, each with the function that draws more. */
const waiting: (() => void)[] = [];

/** Each turn is a separate task, so that the browser can paint and handle input between turns. */
function takeTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setTimeout(takeTurn);
}

function waitForTurn(draw: () => void): () => void {
  if (waiting.push(draw) === 1) setTimeout(takeTurn);
  return () => {
    const at = waiting.indexOf(draw);
    if (at !== -1) waiting.splice(at, 1);
  };
}

/** The number of entries to draw: a resource may have hundreds, and the form appears before the last ones. */
export function useDrawn(count: number): number {
  // Once all entries were drawn, added ones are drawn at once.
  const [drawn, setDrawn] = useState(count <= first ? Number.POSITIVE_INFINITY : first);
  // Runs after the drawing.
  useEffect(() => {
    if (drawn === Number.POSITIVE_INFINITY) return;
    const next = drawn + perTurn;
    return waitForTurn(() => setDrawn(next >= count ? Number.POSITIVE_INFINITY : next));
  }, [drawn]);
  return Math.min(drawn, count);
}
