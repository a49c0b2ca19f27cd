import { setImmediate as turn } from 'node:timers/promises';

/** Resolves with the value of the promise, and the number of turns of the event loop until then. */
export async function countTurnsDuring<T>(doing: Promise<T>): Promise<{ value: T; turns: number }> {
  let turns = 0;
  let waiting = true;
  const counted = (async () => {
    for (; waiting; turns += 1) await turn();
  })();
  const value = await doing.finally(() => {
    waiting = false;
  });
  await counted;
  return { value, turns };
}
