/** Converts between the cells of a row and a user. */

import type { Resource } from '../../../domain/resource/resource.ts';
import type { Edit } from '../../../domain/resource-writes.ts';
import type { BooleanWords } from './booleans.ts';
import { printCell } from './cells.ts';
import type { Column, Step } from './columns.ts';

/** An object or list. */
type Container = Record<Step, unknown>;

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

const ownValue = (container: unknown, step: Step): unknown =>
  isContainer(container) && Object.hasOwn(container, step) ? container[step] : undefined;

/** Sets an own property, whatever its name: `__proto__` may be a map's key. Missing list items before it become null. */
function setOwn(container: Container, step: Step, value: unknown): void {
  if (step === '__proto__')
    Object.defineProperty(container, step, { value, enumerable: true, writable: true, configurable: true });
  else {
    if (Array.isArray(container)) while (container.length < Number(step)) container.push(null);
    container[step] = value;
  }
}

const createContainer = (within: Step | undefined): Container =>
  (typeof within === 'number' ? [] : {}) as Container;

/** Creates missing objects and lists on the path. */
function put(into: Container, steps: readonly Step[], value: unknown): void {
  let container = into;
  const last = steps.length - 1;
  for (let at = 0; at < last; at += 1) {
    const step = steps[at] ?? '';
    const there = ownValue(container, step);
    const inner = isContainer(there) ? there : createContainer(steps[at + 1]);
    if (inner !== there) setOwn(container, step, inner);
    container = inner;
  }
  setOwn(container, steps[last] ?? '', value);
}

function valueAt(user: unknown, steps: readonly Step[]): unknown {
  let value = user;
  for (const step of steps) value = ownValue(value, step);
  return value;
}

/** Removes a member, but never a list item: the other items keep their indexes. */
function remove(from: unknown, steps: readonly Step[]): void {
  const container = valueAt(from, steps.slice(0, -1));
  const last = steps.at(-1);
  if (isContainer(container) && last !== undefined) delete container[last];
}

export interface CellOptions {
  readonly emptyRemoves?: boolean | undefined;
  readonly words: BooleanWords;
}

/** One row: its cells, in the order of the columns. */
export class RowCells {
  readonly #columns: readonly (Column | undefined)[];
  readonly #cells: readonly string[];
  readonly #options: CellOptions;

  constructor(columns: readonly (Column | undefined)[], cells: readonly string[], options: CellOptions) {
    [this.#columns, this.#cells, this.#options] = [columns, cells, options];
  }

  /** A value with the members of the non-empty cells. */
  toValue(): unknown {
    const value: Container = {};
    this.#putInto(value);
    return value;
  }

  /** Sets each column's path; members without a column stay unchanged. */
  readonly edit: Edit<Resource> = (current) => {
    const resource: object = current;
    this.#putInto(resource as Container);
    if (this.#options.emptyRemoves === true)
      for (const [index, column] of this.#columns.entries())
        if (column !== undefined && this.#isEmpty(column, index)) remove(resource, column.steps);
    return resource;
  };

  #putInto(value: Container): void {
    for (let index = 0; index < this.#cells.length; index += 1) {
      const column = this.#columns[index];
      const cell = this.#cells[index] ?? '';
      if (column === undefined || this.#isEmpty(column, index)) continue;
      put(value, column.steps, column.read(cell, this.#options.words));
    }
  }

  #isEmpty({ isBoolean }: Column, index: number): boolean {
    return this.#cells[index] === '' && !(isBoolean && this.#options.words.hasEmpty);
  }
}

export const printCells = (columns: readonly Column[], value: unknown): readonly string[] =>
  columns.map(({ steps }) => printCell(valueAt(value, steps)));
