/** Finds columns by name, or by what people call them. Errors suggest the nearest column for an unknown name, and list all. */
import type { TObject } from 'typebox';
import { simplify, suggest } from '../../../domain/validation/suggest.ts';
import type { UnknownHeadings } from '../port/file-format.ts';
import { rejectedName } from '../port/file-rows.ts';
import { showHeading } from '../port/mistakes.ts';
import { shapeOf } from '../port/schema-shapes.ts';
import { type Column, findColumn, headingsOf, maxColumns, namedColumns, usualColumns } from './columns.ts';

const maxNamesShown = 10;

/** Ends the headings of columns that people read and imports leave out. */
export const leftOutEnd = ' (not imported)';

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

/** The columns whose names aren't in the schema. */
function describeOwn(schema: TObject): string {
  const maps = Object.entries(schema.properties).filter(([, of]) => {
    const shape = shapeOf(of);
    return shape.is === 'map' && !shape.isClosed;
  });
  return maps.map(([name]) => `, and ${name}.NAME for one of your own`).join('');
}

/** @param names all names; at least one is `unknown` */
function describeUnknown(
  schema: TObject,
  names: readonly string[],
  unknown: readonly string[],
  { advise }: NameRules,
): string {
  const usual = new Map(usualColumns(schema).map(({ path, labels }) => [path, labels]));
  // The path, its last member and its first, since people leave out one or the other.
  const partsOf = (path: string): readonly string[] => [
    ...[path, path.replace(/.*\./, ''), path.replace(/\..*/, '')],
    ...(usual.get(path) ?? []),
  ];
  const shown = unknown.slice(0, maxNamesShown);
  const suggested = shown.map((name) => suggest(name, usual.keys(), partsOf));
  const more = unknown.length > shown.length ? `, and ${unknown.length - shown.length} more are unknown` : '';
  const all = `${namedColumns(schema).join(', ')}${describeOwn(schema)}`;
  // A first row that is not a header may contain personal data.
  if (advise !== undefined && unknown.length === names.length && suggested.every((one) => one === '')) {
    const undivided = names.length === 1 ? ', or no comma, semicolon or tab separates them' : '';
    return `the first row must have the headings, and none of these is known${undivided}${advise('HEADING')}; if a title stands above the headings, delete its row; the usual columns are ${all}`;
  }
  const described = shown.map((name, at) => `${showHeading(name)}${suggested[at]}`).join(', ');
  return `there is no column ${described}${more}${advise === undefined ? '' : `${advise(shown[0] ?? '')}, --ignore-unknown all unknown ones`}; the usual columns are ${all}`;
}

/** What names mean. */
export interface NameRules {
  find(name: string): Column | undefined;
  /** True for a name that no column is read from. */
  isSkipped(name: string): boolean;
  /** How names that are unknown or empty are handled. */
  readonly unknown?: UnknownHeadings;
  /** The advice how to assign a column to the heading, or to leave it out. Undefined for names that are not from a file. */
  readonly advise?: (heading: string) => string;
}

const isRepeated = (columns: readonly (Column | undefined)[], index: number): boolean =>
  columns.findIndex((column) => column?.path === columns[index]?.path) < index;

/** @returns a column for each name; undefined for skipped names @throws ColumnError for unknown, duplicate and too many columns */
export function findColumns(
  schema: TObject,
  names: readonly string[],
  rules: NameRules = { find: headingRules(schema, new Map()).find, isSkipped: () => false },
): readonly (Column | undefined)[] {
  const { find, isSkipped, unknown: mode } = rules;
  const columns = names.map((name) => (isSkipped(name) ? undefined : find(name)));
  if (mode === 'asked')
    return columns.map((column, index) => (isRepeated(columns, index) ? undefined : column));
  // If no column is known, the first row is not a header.
  const isTaken = mode === 'left out' && columns.some((column) => column !== undefined);
  const isLost = (index: number): boolean =>
    columns[index] === undefined && !isTaken && !isSkipped(names[index] ?? '');
  const empty = names.findIndex((name, index) => name === '' && isLost(index));
  if (empty >= 0)
    throw new ColumnError(
      'a heading is empty: fill it, delete the column, or delete the rows above the headings',
      empty,
    );
  if (names.length > maxColumns + 1) throw new ColumnError(`there are more than ${maxColumns} columns`, 0);
  const unknown = names.filter((_, index) => isLost(index));
  const [first] = unknown;
  if (first !== undefined)
    throw new ColumnError(describeUnknown(schema, names, unknown, rules), names.indexOf(first));
  const keys = columns.map((column, index) => column?.path ?? `$${index}`);
  const repeated = keys.findIndex((key, index) => keys.indexOf(key) < index);
  if (repeated < 0) return columns;
  const [one = '', other = ''] = [names[keys.indexOf(keys[repeated] ?? '')], names[repeated]].map(
    (name) => name && showHeading(name),
  );
  const detail =
    one === other
      ? `the column ${one} stands twice`
      : `${one} and ${other} are both ${keys[repeated]}${rules.advise?.(names[repeated] ?? '')}`;
  throw new ColumnError(detail, repeated);
}

/** What a heading means. The lower the rank, the better: 0 for a path, a label or a person's own mapping. */
interface Meaning {
  readonly column: Column;
  readonly rank: number;
}

/** Finds columns by the names that people and other programs use. Entra ID and Google add `[givenName]`, `[Required]`, `Required` to headings. */
function meanings(schema: TObject): (heading: string) => Meaning | undefined {
  const known = new Map<string, readonly [path: string, rank: number]>();
  for (const [path, names] of Object.entries(headingsOf(schema)))
    for (const [at, name] of names.entries()) known.set(simplify(name), [path, at + 1]);
  const usual = usualColumns(schema);
  // The installation's own words come before the usual ones.
  for (const { path, labels } of [...usual, ...usual.filter(({ isDeclared }) => isDeclared)])
    for (const label of labels) known.set(simplify(label), [path, 0]);
  return (heading) => {
    const whole = heading.endsWith(leftOutEnd) ? heading.slice(0, -leftOutEnd.length) : heading;
    const own = findColumn(schema, whole);
    if (own !== undefined) return { column: own, rank: 0 };
    const plain = whole.replace(/ Required$/i, '');
    for (const name of [plain, plain.replace(/ *\[[^\]]*\]$/, '')]) {
      const [path, rank] = known.get(simplify(name)) ?? [];
      const column = path === undefined ? undefined : findColumn(schema, path);
      if (column !== undefined && rank !== undefined) return { column, rank };
    }
    return undefined;
  };
}

interface HeadingOptions {
  readonly unknown?: UnknownHeadings;
  /** All headings of the table. If several mean the same column, all but the best are skipped. */
  readonly headings?: readonly string[];
}

/**
 * Headings are paths, labels or what other programs call columns.
 * @param map headings whose column is given, by path or label; empty for one that is left out
 */
export function headingRules(
  schema: TObject,
  map: ReadonlyMap<string, string>,
  { unknown = 'refused', headings = [] }: HeadingOptions = {},
): NameRules {
  const known = meanings(schema);
  const meaningOf = (heading: string): Meaning | undefined => {
    const name = map.get(heading);
    const meaning = name === '' ? undefined : known(name ?? heading);
    return name === undefined ? meaning : meaning && { ...meaning, rank: 0 };
  };
  const best = new Map<string, number>();
  const isForReading = (heading: string): boolean => heading.endsWith(leftOutEnd) && !map.has(heading);
  const read = headings.filter((heading) => !isForReading(heading));
  for (const { column, rank } of read.flatMap((heading) => meaningOf(heading) ?? []))
    best.set(column.path, Math.min(rank, best.get(column.path) ?? rank));
  const isSuperseded = (heading: string): boolean => {
    const { column, rank = 0 } = meaningOf(heading) ?? {};
    return column !== undefined && rank > (best.get(column.path) ?? rank);
  };
  return {
    find: (heading) => meaningOf(heading)?.column,
    unknown,
    isSkipped: (heading) =>
      heading === rejectedName || map.get(heading) === '' || isForReading(heading) || isSuperseded(heading),
    advise: (heading) => {
      const shown = showHeading(heading).slice(1, -1);
      return `: --map "${shown}=COLUMN" says which column it is, --map "${shown}=" leaves it out`;
    },
  };
}
