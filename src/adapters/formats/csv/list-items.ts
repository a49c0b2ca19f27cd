/**
 * Finds the items of lists that columns refer to. A column of a type (`phoneNumbers.mobile.value`) refers to the first item of this type; a
 * number counts only the items whose type has no column in this table. Otherwise the second import of a row with one of two phone numbers would
 * find it in the place of the other.
 */
import { isObject } from '../../../domain/validation/plain-values.ts';
import { type Column, type PathStep, sameCells, TypeStep } from './columns.ts';

/** The types that columns of the table have, by the pointer of the list. */
export type ClaimedTypes = ReadonlyMap<string, ReadonlySet<string>>;

const listOf = (steps: readonly PathStep[], at: number): string => steps.slice(0, at).join('/');

export function claimTypes(columns: readonly (Column | undefined)[]): ClaimedTypes {
  const claimed = new Map<string, Set<string>>();
  for (const { steps } of columns.flatMap((column) => (column ? sameCells(column) : [])))
    for (const [at, step] of steps.entries())
      if (step instanceof TypeStep) {
        const list = listOf(steps, at);
        claimed.set(list, (claimed.get(list) ?? new Set()).add(step.type));
      }
  return claimed;
}

const typeOf = (item: unknown): unknown => (isObject(item) ? item.type : undefined);

/** @param at the place of the step in `steps` @returns the index of its item, which may be beyond the end of the list */
export function indexOf(
  list: readonly unknown[],
  steps: readonly PathStep[],
  at: number,
  claimed: ClaimedTypes,
): number {
  const step = steps[at];
  if (step instanceof TypeStep) {
    const found = list.findIndex((item) => typeOf(item) === step.type);
    return found < 0 ? list.length : found;
  }
  const types = claimed.get(listOf(steps, at));
  if (types === undefined) return Number(step);
  const free = [...list.keys()].filter((index) => !types.has(String(typeOf(list[index]))));
  return free[Number(step)] ?? list.length + Number(step) - free.length;
}

/** Translates a pointer from the members of a value to columns: `/phoneNumbers/mobile/value`. */
export function pointerOfColumn(pointer: string, value: unknown, claimed: ClaimedTypes): string {
  const [, list = '', index = '', ...rest] = pointer.split('/');
  const types = claimed.get(list);
  const items = isObject(value) ? value[list] : undefined;
  if (types === undefined || !Array.isArray(items) || index === '') return pointer;
  const type = String(typeOf(items[Number(index)]));
  const before = items.slice(0, Number(index)).filter((item) => !types.has(String(typeOf(item))));
  return ['', list, types.has(type) ? type : before.length, ...rest].join('/');
}
