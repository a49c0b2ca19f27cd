/** Limits for a fault: it may cost answers, but no memory that is not given back, and no long hold of the event loop. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** In ms. Far above what a busy machine does by itself, far below what a caller would bear. */
const longestHold = 1000;
/** In bytes: what the driver's own records of servers and pools come and go by. */
const leeway = 6 * 1024 * 1024;

/** In bytes, of what is still in use. */
function heapInUse(): number {
  // Objects that a finalizer drops are collected by the second run.
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Watches the event loop and the memory from its making on. */
export class ResourceWatch {
  readonly #delay = monitorEventLoopDelay({ resolution: 10 });
  readonly #heap = heapInUse();

  constructor() {
    this.#delay.enable();
  }

  /** Fails when the event loop was held up at one go, or memory is not given back, since this was made. */
  assertUnharmed({ hold = longestHold, memory = leeway } = {}): void {
    this.#delay.disable();
    expect(this.#delay.max / 1e6, 'the longest hold of the event loop, in ms').to.be.below(hold);
    expect(heapInUse() - this.#heap, 'the memory in use that was added, in bytes').to.be.below(memory);
  }
}
