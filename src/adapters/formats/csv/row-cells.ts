/** Converts between the cells of a row and a user. */

import { instantOfDay } from '../../../domain/resource/days.ts';
import type { Resource } from '../../../domain/resource/resource.ts';
import type { Edit } from '../../../domain/use-cases/resource-writes.ts';
import { attributeText } from '../../../domain/validation/attribute-types.ts';
import { type BooleanWords, printCell } from './cells.ts';
import { type Column, type PathStep, sameCells, TypeStep } from './columns.ts';
import { type ClaimedTypes, indexOf, pointerOfColumn } from './list-items.ts';

/** An object or list. */
type Container = Record<string | number, unknown>;

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

const ownValue = (container: unknown, step: PathStep): unknown =>
  isContainer(container) && Object.hasOwn(container, String(step)) ? container[String(step)] : undefined;

/** Sets an own property, whatever its name: `__proto__` may be a map's key. Missing list items before it become null. */
function setOwn(container: Container, step: string | number, value: unknown): void {
  if (step === '__proto__')
    Object.defineProperty(container, step, { value, enumerable: true, writable: true, configurable: true });
  else {
    if (Array.isArray(container)) while (container.length < Number(step)) container.push(null);
    container[step] = value;
  }
}

/** @param step the step to the container @param next the step into it */
const createContainer = (step: PathStep, next: PathStep | undefined): Container =>
  (typeof next === 'number' || next instanceof TypeStep
    ? []
    : step instanceof TypeStep
      ? { type: step.type }
      : {}) as Container;

/** The name or the index of the step's value in its container. */
function keyOf(container: unknown, steps: readonly PathStep[], at: number, claimed: ClaimedTypes) {
  const step = steps[at] ?? '';
  return Array.isArray(container) ? indexOf(container, steps, at, claimed) : String(step);
}

/** Creates missing objects and lists on the path. */
function put(into: Container, steps: readonly PathStep[], value: unknown, claimed: ClaimedTypes): void {
  let container = into;
  const last = steps.length - 1;
  for (let at = 0; at < last; at += 1) {
    const key = keyOf(container, steps, at, claimed);
    const there = ownValue(container, key);
    const inner = isContainer(there) ? there : createContainer(steps[at] ?? '', steps[at + 1]);
    if (inner !== there) setOwn(container, key, inner);
    container = inner;
  }
  setOwn(container, keyOf(container, steps, last, claimed), value);
}

const unclaimed: ClaimedTypes = new Map();

function valueAt(user: unknown, steps: readonly PathStep[], claimed = unclaimed): unknown {
  let value = user;
  for (let at = 0; at < steps.length; at += 1) value = ownValue(value, keyOf(value, steps, at, claimed));
  return value;
}

/**
 * Removes a member, but never a list item, so that other items keep their indexes. An item found by its type also loses its type and
 * `primary` if it has no other member.
 */
function remove(from: unknown, steps: readonly PathStep[], claimed: ClaimedTypes): void {
  const before = steps.slice(0, -1);
  const container = valueAt(from, before, claimed);
  const last = steps.at(-1);
  if (!isContainer(container) || last === undefined) return;
  delete container[String(last)];
  const members = Object.keys(container);
  if (
    before.at(-1) instanceof TypeStep &&
    members.every((member) => member === 'type' || member === 'primary')
  )
    for (const member of members) delete container[member];
}

interface CellOptions {
  readonly emptyRemoves?: boolean | undefined;
  readonly words: BooleanWords;
  /** The time zone of days in rows whose resources have none. */
  readonly timeZone: string;
  readonly claimed: ClaimedTypes;
  /** The ids of users by name. */
  readonly ids?: ReadonlyMap<string, string> | undefined;
}

/** One row: its cells, in the order of the columns. */
export class RowCells {
  readonly #columns: readonly (Column | undefined)[];
  readonly #cells: readonly string[];
  readonly #options: CellOptions;
  #made: unknown;

  constructor(columns: readonly (Column | undefined)[], cells: readonly string[], options: CellOptions) {
    [this.#columns, this.#cells, this.#options] = [columns, cells, options];
  }

  /** A value with the members of the non-empty cells. */
  toValue(): unknown {
    const value: Container = {};
    this.#putInto(value);
    this.#placeDays(value);
    this.#made = value;
    return value;
  }

  /** Sets each column's path; members without a column stay unchanged. */
  readonly edit: Edit<Resource> = (current) => {
    const resource: object = current;
    this.#putInto(resource as Container);
    if (this.#options.emptyRemoves === true)
      for (const [index, column] of this.#columns.entries())
        if (column !== undefined && this.#isEmpty(column, index))
          for (const { steps } of sameCells(column)) remove(resource, steps, this.#options.claimed);
    this.#placeDays(resource as Container);
    this.#made = resource;
    return resource;
  };

  /** Translates a pointer: from the members of the value made last to the columns of its row. */
  locate(pointer: string): string {
    return pointerOfColumn(pointer, this.#made, this.#options.claimed);
  }

  #putInto(value: Container): void {
    const { words, claimed, ids } = this.#options;
    for (let index = 0; index < this.#cells.length; index += 1) {
      const column = this.#columns[index];
      const cell = this.#cells[index] ?? '';
      if (column === undefined || this.#isEmpty(column, index)) continue;
      const text = (column.isNamed && ids?.get(cell)) || cell;
      for (const one of sameCells(column)) put(value, one.steps, one.read(text, words), claimed);
    }
  }

  /** Days become instants, once the time zone of the resource is there. */
  #placeDays(value: Container): void {
    const { timeZone, claimed } = this.#options;
    for (const [index, column] of this.#columns.entries()) {
      if (column === undefined || this.#isEmpty(column, index)) continue;
      for (const { day, steps } of sameCells(column)) {
        if (day === undefined) continue;
        const zone = String(ownValue(value, day.zone) ?? timeZone);
        const instant = instantOfDay(this.#cells[index] ?? '', day.end, zone);
        if (instant !== undefined) put(value, steps, instant, claimed);
      }
    }
  }

  #isEmpty({ isBoolean }: Column, index: number): boolean {
    return this.#cells[index] === '' && !(isBoolean && this.#options.words.hasEmpty);
  }
}

/** @param names as of `FilePrintOptions` */
export const printCells = (
  columns: readonly Column[],
  value: unknown,
  names?: ReadonlyMap<string, string>,
): readonly string[] =>
  columns.map(({ steps, isInverse, isSingle, isNamed }) => {
    const cell = valueAt(value, steps);
    if (isNamed && typeof cell === 'string') return names?.get(cell) ?? cell;
    if (isSingle && Array.isArray(cell)) return attributeText(cell);
    return printCell(isInverse && typeof cell === 'boolean' ? !cell : cell);
  });
