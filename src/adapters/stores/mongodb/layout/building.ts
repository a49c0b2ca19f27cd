/** Builds the indexes of attributes that were declared since the last start, while the store serves: see `Rebuild.buildSome`. */
import { setTimeout as pause } from 'node:timers/promises';
import { takeStep } from '../../port/store-module.ts';
import type { Database } from '../connection/database.ts';
import { describeError } from '../connection/driver-errors.ts';
import { makeIndexes } from './layout.ts';
import type { Rebuilds } from './rebuild.ts';

/** In ms: between two lines of the log. */
const lineInterval = 10_000;

interface BuilderParts {
  readonly database: Database;
  readonly rebuilds: Rebuilds;
  /** See `StoreHooks.buildSteps`. */
  readonly steps: Int32Array | undefined;
  readonly onProgress: (line: string) => void;
}

export class IndexBuilder {
  readonly #parts: BuilderParts;
  #running: Promise<void> | undefined;
  #fault = '';

  constructor(parts: BuilderParts) {
    this.#parts = parts;
  }

  /** Begins unless it is at work. @param isOver asked before each step */
  begin(isOver: () => boolean): void {
    this.#running ??= this.#buildAll(isOver)
      .catch((cause: unknown) => this.#tellFault(describeError(cause)))
      .finally(() => (this.#running = undefined));
  }

  /** Another attempt follows: once is enough for the log. */
  #tellFault(fault: string): void {
    if (fault !== this.#fault) this.#parts.onProgress(`Indexes of attributes are not built yet: ${fault}`);
    this.#fault = fault;
  }

  async #buildAll(isOver: () => boolean): Promise<void> {
    const { database, rebuilds, steps, onProgress } = this.#parts;
    for (const [kind, rebuild] of rebuilds) {
      // Documents have the keys last, since they show that the index is whole.
      if (rebuild.isBuilding) await makeIndexes(database.db, kind);
      let told = 0;
      while (rebuild.hasBuilding && !isOver() && takeStep(steps)) {
        const begun = performance.now();
        const line = await rebuild.buildSome();
        if (line !== undefined && (told === 0 || begun - told >= lineInterval)) {
          told = begun;
          onProgress(`${kind.plural}: ${line}`);
        }
        // The server is the clients' as well.
        await pause(performance.now() - begun, undefined, { ref: false });
      }
      if (told > 0 && !rebuild.hasBuilding) onProgress(`${kind.plural}: All indexes are built.`);
    }
  }
}
