/** Finds columns by name. Errors suggest the nearest column for an unknown name. */
import type { TObject } from 'typebox';
import { type Column, findColumn, maxColumns, usualColumns } from './columns.ts';

/** In UTF-16 code units. Longer names are truncated in messages and get no suggestion. */
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

/** The Levenshtein distance. */
function measureDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let index = 0; index < other.length; index += 1) {
      const replaced = (row[index] ?? 0) + (one[at] === other[index] ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

const simplify = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The path, its last member and its first, since people leave out one or the other. */
const partsOf = (path: string): readonly string[] =>
  [path, path.replace(/.*\./, ''), path.replace(/\..*/, '')].map(simplify);

/** @returns undefined when no column is similar */
function findNearest(schema: TObject, name: string): string | undefined {
  const wanted = simplify(name);
  if (name.length > maxNameShown || wanted === '') return undefined;
  let [nearest, least]: [string | undefined, number] = [undefined, 1 + Math.floor(wanted.length / 4)];
  for (const path of usualColumns(schema))
    for (const part of partsOf(path)) {
      const away = Math.abs(part.length - wanted.length) < least ? measureDistance(wanted, part) : least;
      if (away < least) [nearest, least] = [path, away];
    }
  return nearest;
}

function describeUnknown(schema: TObject, unknown: readonly string[]): string {
  const described = unknown.slice(0, maxNamesShown).map((name) => {
    const nearest = findNearest(schema, name);
    return nearest === undefined ? show(name) : `${show(name)} (perhaps ${nearest})`;
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
