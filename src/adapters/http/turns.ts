/** Who goes on first when reads and writes come at once: one thread serves both, and a write takes several times as long. */

/** How many reads take as long as a write, with what it costs before its turn and after: five by `npm run bench`, and a margin. */
const readsPerWrite = 7;

/** How long writes go on in one turn of the event loop, in ms, but for the last step of the last: then probes and reads come. */
const turnTime = 4;

/** How long each has, in ms, also when it is the last of a turn: most are through by then, and need no second turn. */
const stepTime = 2;

export interface Turns {
  /** A GET or HEAD is about to be answered. */
  read(): void;
  /**
   * Resolves when a write with a body may go on, after this turn of the event loop. In each turn as many go on, one after the other,
   * as there is time for; and while others read, no more than take as long as the reads of that turn, and at least one. So writers,
   * however many, leave half of the time to readers.
   * @returns how long it has waited, in ms
   */
  write(): Promise<number>;
  /** For a write that has begun: undefined while it has time; else resolves in the next turn, before any that has not begun. */
  goOn(): Promise<void> | undefined;
  /** How long the first of those that have not begun has waited, in ms. */
  lateness(): number;
}

interface Waiting {
  readonly go: (waited: number) => void;
  readonly since: number;
}

export function turns(): Turns {
  const waiting: Waiting[] = [];
  const begun: (() => void)[] = [];
  let reads = 0;
  let planned = false;
  let turn = { end: 0, left: 0, stepEnd: 0 };

  function plan(): void {
    if (planned) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      const left = reads === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(reads / readsPerWrite));
      turn = { end: performance.now() + turnTime, left, stepEnd: 0 };
      reads = 0;
      next();
    });
  }

  /** Lets one go, and comes back when it has done what it can do now: behind all its microtasks. */
  function next(): void {
    if (begun.length === 0 && waiting.length === 0) return;
    const now = performance.now();
    const isOver = now >= turn.end || (begun.length === 0 && turn.left <= 0);
    if (isOver) {
      plan();
      return;
    }
    turn.stepEnd = Math.max(turn.end, now + stepTime);
    letGo(now);
    queueMicrotask(() => process.nextTick(next));
  }

  function letGo(now: number): void {
    const goOn = begun.shift();
    if (goOn !== undefined) {
      goOn();
      return;
    }
    turn.left -= 1;
    const first = waiting.shift();
    first?.go(now - first.since);
  }

  return {
    read() {
      reads += 1;
    },
    write: () =>
      new Promise((go) => {
        // Those before it say nothing of how many come now.
        if (!planned && waiting.length === 0) reads = Math.min(reads, readsPerWrite);
        waiting.push({ go, since: performance.now() });
        plan();
      }),
    goOn() {
      if (performance.now() < turn.stepEnd) return undefined;
      return new Promise((go) => {
        begun.push(go);
        plan();
      });
    },
    lateness: () => (waiting[0] === undefined ? 0 : performance.now() - waiting[0].since),
  };
}
