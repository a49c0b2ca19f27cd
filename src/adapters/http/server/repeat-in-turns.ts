/**
 * Plans `step` for the next turn of the event loop, once however often it is asked for until then.
 * @param step returns whether there is more to do: then it runs again in the turn after
 */
export function repeatInTurns(step: () => boolean): () => void {
  let planned = false;
  return function plan() {
    if (planned) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      if (step()) plan();
    });
  };
}
