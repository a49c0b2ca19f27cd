/** Finds columns by name. Errors suggest the nearest column for an unknown name. */
import type { TObject } from 'typebox';
import { suggest } from '../../../domain/base/suggest.ts';
import { type Column, findColumn, maxColumns, usualColumns } from './columns.ts';

/** In UTF-16 code units. Longer names are truncated in messages. */
const maxNameShown = 64;
const maxNamesShown = 10;

/** Invalid columns, which the message names. */
export class ColumnError extends Error {
  override readonly name = 'ColumnError';
  /** The index of the first invalid column. */
  readonly index: number;

  constructor(detail: string, index: number) {
    super(detail);
    this.index = index;
  }
}

/** Quotes a name for a terminal and a log, without control characters. */
function show(name: string): string {
  const shown = name.length > maxNameShown ? `${name.slice(0, maxNameShown)}…` : name;
  return `"${shown.replace(/\p{C}/gu, '\uFFFD')}"`;
}

/** The path, its last member and its first, since people leave out one or the other. */
const partsOf = (path: string): readonly string[] => [
  path,
  path.replace(/.*\./, ''),
  path.replace(/\..*/, ''),
];

function describeUnknown(schema: TObject, unknown: readonly string[]): string {
  const described = unknown.slice(0, maxNamesShown).map((name) => {
    return show(name) + suggest(name, usualColumns(schema), partsOf);
  });
  const more = unknown.length - described.length;
  return `there is no column ${described.join(', ')}${more > 0 ? `, and ${more} more are unknown` : ''}`;
}

/**
 * @param ignored a name that isn't a column
 * @returns undefined in place of `ignored`
 * @throws ColumnError for unknown, duplicate and too many columns
 */
export function findColumns(
  schema: TObject,
  names: readonly string[],
  ignored?: string,
): readonly (Column | undefined)[] {
  if (names.length > maxColumns + 1) throw new ColumnError(`there are more than ${maxColumns} columns`, 0);
  const columns = names.map((name) => findColumn(schema, name));
  const unknown = names.filter((name, index) => columns[index] === undefined && name !== ignored);
  const [first] = unknown;
  if (first !== undefined) throw new ColumnError(describeUnknown(schema, unknown), names.indexOf(first));
  const repeated = names.findIndex((name, index) => names.indexOf(name) < index);
  if (repeated >= 0)
    throw new ColumnError(`the column ${show(names[repeated] ?? '')} stands twice`, repeated);
  return columns;
}
