/** Who goes on first when reads and writes come at once: one thread serves both, and a write takes several times as long. */

/** How many reads take as long as a write, with what it costs before its turn and after: five by `npm run bench`, and a margin. */
const readsPerWrite = 7;

export interface Turns {
  /** A GET or HEAD is about to be answered. */
  read(): void;
  /**
   * Resolves when a write with a body may go on: at once, after this turn of the event loop, while nobody reads; else as many in each turn as
   * take as long as the reads of that turn, and at least one. So writers, however many, leave half of the time to readers.
   */
  write(): Promise<void>;
}

export function turns(): Turns {
  const waiting: (() => void)[] = [];
  let reads = 0;

  function next(): void {
    const some = Math.max(1, Math.floor(reads / readsPerWrite));
    const going = waiting.splice(0, reads === 0 ? waiting.length : some);
    reads = 0;
    if (waiting.length > 0) setImmediate(next);
    for (const go of going) go();
  }

  return {
    read() {
      reads += 1;
    },
    write: () =>
      new Promise((go) => {
        if (waiting.length === 0) {
          // Those before it say nothing of how many come now.
          reads = Math.min(reads, readsPerWrite);
          setImmediate(next);
        }
        waiting.push(go);
      }),
  };
}
