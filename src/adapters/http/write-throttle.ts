/**
 * Shares the event loop between reads and writes that come at once: one thread serves both, and a write takes several times as
 * long. So writers, however many, leave half of the time to readers.
 */

/** So many reads take as long as a write, its work before and after the turn included: five by `npm run bench`, and a margin. */
const readsPerWrite = 7;

/** In ms: writes go on for so long in one turn of the event loop, and to the end of the last step; then probes and reads come. */
const turnTime = 4;

/** In ms: each write has so long, also the last of a turn. Most are through by then, and need no second turn. */
const stepTime = 2;

export interface WriteThrottle {
  /** For each GET or HEAD that is about to be answered. */
  countRead(): void;
  /**
   * For a write with a body: resolves in a later turn of the event loop. A turn has as many writes, one after the other, as there is
   * time for; while others read, no more than take as long as the reads of that turn, and at least one.
   * @returns how long it has waited, in ms
   */
  awaitTurn(): Promise<number>;
  /** For a write that has begun: undefined while it has time; else resolves in the next turn, before any that hasn't begun. */
  yieldIfDue(): Promise<void> | undefined;
  /** How long the first of the writes that haven't begun has waited, in ms. */
  oldestWait(): number;
}

interface Waiting {
  readonly start: (waited: number) => void;
  readonly since: number;
}

export function writeThrottle(): WriteThrottle {
  const waiting: Waiting[] = [];
  const yielded: (() => void)[] = [];
  let reads = 0;
  let isScheduled = false;
  /** `left`: writes that may still begin; the others are times of `performance.now()`. */
  let turn = { end: 0, left: 0, stepEnd: 0 };

  function scheduleTurn(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      const left = reads === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(reads / readsPerWrite));
      turn = { end: performance.now() + turnTime, left, stepEnd: 0 };
      reads = 0;
      runNext();
    });
  }

  /** Resumes one write, and comes back behind all its microtasks: when it has done all that it can do now. */
  function runNext(): void {
    if (yielded.length === 0 && waiting.length === 0) return;
    const now = performance.now();
    const isOver = now >= turn.end || (yielded.length === 0 && turn.left <= 0);
    if (isOver) {
      scheduleTurn();
      return;
    }
    turn.stepEnd = Math.max(turn.end, now + stepTime);
    resumeOne(now);
    queueMicrotask(() => process.nextTick(runNext));
  }

  function resumeOne(now: number): void {
    const resume = yielded.shift();
    if (resume !== undefined) {
      resume();
      return;
    }
    turn.left -= 1;
    const first = waiting.shift();
    first?.start(now - first.since);
  }

  return {
    countRead() {
      reads += 1;
    },
    awaitTurn: () =>
      new Promise((start) => {
        // Reads from long before this write say nothing of how many come now.
        if (!isScheduled && waiting.length === 0) reads = Math.min(reads, readsPerWrite);
        waiting.push({ start, since: performance.now() });
        scheduleTurn();
      }),
    yieldIfDue() {
      if (performance.now() < turn.stepEnd) return undefined;
      return new Promise((resume) => {
        yielded.push(resume);
        scheduleTurn();
      });
    },
    oldestWait: () => (waiting[0] === undefined ? 0 : performance.now() - waiting[0].since),
  };
}
