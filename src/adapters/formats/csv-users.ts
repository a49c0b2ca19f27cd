/** What the cells of a row make of a user. */
import type { Edit } from '../../domain/users.ts';
import { printCell, unprotectCell } from './csv-cells.ts';
import type { Column, Step } from './csv-columns.ts';

/** An object or list. */
type Container = Record<Step, unknown>;

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

const ownValue = (container: unknown, step: Step): unknown =>
  isContainer(container) && Object.hasOwn(container, step) ? container[step] : undefined;

/** As an own member, whatever its name: `__proto__` may be a map's key. Items in front that aren't there are null. */
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

/** Makes the objects and lists on the way that aren't there. */
function put(into: Container, steps: readonly Step[], value: unknown): void {
  let container = into;
  for (const [at, step] of steps.slice(0, -1).entries()) {
    const there = ownValue(container, step);
    const inner = isContainer(there) ? there : createContainer(steps[at + 1]);
    if (inner !== there) setOwn(container, step, inner);
    container = inner;
  }
  setOwn(container, steps.at(-1) ?? '', value);
}

export const valueAt = (user: unknown, steps: readonly Step[]): unknown =>
  steps.reduce((value, step) => ownValue(value, step), user);

/** Of a list's item nothing but what is in it: the others keep their places. */
function remove(from: unknown, steps: readonly Step[]): void {
  const container = valueAt(from, steps.slice(0, -1));
  const last = steps.at(-1);
  if (isContainer(container) && last !== undefined) delete container[last];
}

interface Cell {
  readonly column: Column;
  /** Undefined for an empty one. */
  readonly value: unknown;
}

export interface CellOptions {
  readonly emptyRemoves?: boolean | undefined;
  readonly spreadsheet?: boolean | undefined;
}

/** @returns undefined when no cell says anything */
export function readCells(
  columns: readonly (Column | undefined)[],
  texts: readonly string[],
  { emptyRemoves = false, spreadsheet = false }: CellOptions,
): { readonly value: unknown; readonly edit: Edit } | undefined {
  const cells: Cell[] = [];
  const value: Container = {};
  let isEmpty = true;
  for (const [index, column] of columns.entries()) {
    const text = texts[index] ?? '';
    if (column === undefined || (text === '' && !emptyRemoves)) continue;
    const read = text === '' ? undefined : column.read(spreadsheet ? unprotectCell(text) : text);
    cells.push({ column, value: read });
    if (read === undefined) continue;
    isEmpty = false;
    put(value, column.steps, read);
  }
  return isEmpty ? undefined : { value, edit: (current) => putCells(current, cells) };
}

/** Path by path, so that what has no column stays as it is. */
function putCells(current: object, cells: readonly Cell[]): unknown {
  for (const { column, value } of cells)
    if (value === undefined) remove(current, column.steps);
    else put(current as Container, column.steps, value);
  return current;
}

export const printCells = (columns: readonly Column[], user: unknown): readonly string[] =>
  columns.map(({ steps }) => printCell(valueAt(user, steps)));
