/** Whether a fault costs memory that is not given back. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { until } from '../../../support/deadlines.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Objects that are to be let go once the requests that they belong to are answered. */
export class Watched {
  readonly #references: WeakRef<object>[] = [];

  add<T extends object>(one: T): T {
    this.#references.push(new WeakRef(one));
    return one;
  }

  /** How many of them are still in use. */
  count(): number {
    collectGarbage();
    return this.#references.filter((reference) => reference.deref() !== undefined).length;
  }

  untilGone(): Promise<void> {
    return until('nothing keeps what belonged to answered requests', () => this.count() === 0);
  }
}
