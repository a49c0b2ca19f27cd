/** Suggests a known name for an unknown one: `(perhaps userName)`. */
import type { TSchema } from 'typebox';
import { fold } from '../unicode/folding.ts';

/** In UTF-16 code units. Longer names get no suggestion. */
const longestName = 64;

/** The Levenshtein distance, in which two letters that changed places count once. */
function measureDistance(one: string, other: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let index = 0; index < other.length; index += 1) {
      const replaced = (row[index] ?? 0) + (one[at] === other[index] ? 0 : 1);
      const isSwapped = one[at] === other[index - 1] && one[at - 1] === other[index];
      const swapped = isSwapped ? (before[index - 1] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}

/** Equal for names that people type interchangeably: `E-Mail` and `email`, `Straße` and `strasse`. Empty without letters and digits. */
export const simplify = (name: string): string => fold(name).replace(/[^\p{L}\p{N}]/gu, '');

/**
 * @param partsOf what people may write for a known name; default: the name
 * @returns what to append to the unknown name in a message; empty when no known name is similar
 */
export function suggest(
  unknown: string,
  known: Iterable<string>,
  partsOf: (name: string) => readonly string[] = (name) => [name],
): string {
  const wanted = simplify(unknown);
  if (unknown.length > longestName || wanted === '') return '';
  const most = wanted.length === 3 ? 1 : Math.floor(wanted.length / 4);
  let [nearest, least]: [string | undefined, number] = [undefined, most + 1];
  for (const name of known)
    for (const part of partsOf(name).map(simplify)) {
      const away = Math.abs(part.length - wanted.length) < least ? measureDistance(wanted, part) : least;
      if (away < least) [nearest, least] = [name, away];
    }
  return nearest === undefined ? '' : ` (perhaps ${nearest})`;
}

/** The keywords of a schema that matter here. */
interface Described {
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
}

/** The labels of a list include those of its items' members. */
function labelsOf(schema: TSchema): readonly string[] {
  const { labels = {}, items = {} } = schema as Described;
  const { properties = {} } = items as Described;
  return [...Object.values(labels).flat(), ...Object.values(properties).flatMap(labelsOf)];
}

type Members = Iterable<readonly [name: string, schema: TSchema]>;

/** Also of the objects inside, by path, with what people write for it. */
function* namesIn(members: Members, before = ''): Generator<[path: string, names: readonly string[]]> {
  for (const [name, schema] of members) {
    const path = `${before}${name}`;
    yield [path, [path, name, ...labelsOf(schema)]];
    yield* namesIn(Object.entries((schema as Described).properties ?? {}), `${path}/`);
  }
}

/** As `suggest`, for a member: also by labels, and with members inside of others: `(perhaps enterprise/department)`. */
export function suggestMember(unknown: string, members: ReadonlyMap<string, TSchema>): string {
  const wanted = simplify(unknown);
  for (const [path, names] of namesIn(members))
    if (names.some((name) => simplify(name) === wanted)) return ` (perhaps ${path})`;
  return suggest(unknown, members.keys());
}
