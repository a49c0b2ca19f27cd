/**
 * The query of a request as names and values. Unknown names are refused, never ignored, and so are repetitions of a single value.
 *
 * Each API reads its own parameters from it: lists, filters and searches in `apis/resources/parameters.ts`, the change log and histories in
 * `apis/changes/parameters.ts`, SCIM in `apis/scim/list/parameters.ts`. The routes of each API declare which parameters they take.
 */
import { maxViolations } from '../../../domain/validation/errors.ts';
import { escapePointer, replaceForeignCharacters } from '../../../domain/validation/schema-validator.ts';
import { suggest } from '../../../domain/validation/suggest.ts';
import { HttpProblem } from '../problems/problems.ts';

/** The decoded values of each parameter, by the parameter's name in the route. */
export interface Query extends ReadonlyMap<string, readonly string[]> {
  /** The reading for programs that don't encode `+`. The values above read it as a space, as in forms. Left out without a `+`. */
  readonly withPluses?: Query;
}

/** Parameters with a single value. */
export type Given = ReadonlyMap<string, string>;

export const noQuery: Query = new Map();

/** More than any route reads (changes: four lists of fifty values). Parsing more would cost time before the request is refused. */
const maxParameters = 250;

export const invalidParameter = (detail: string): HttpProblem => new HttpProblem('invalid-parameter', detail);

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidParameter('The query has a percent-encoding that is not UTF-8.');
  }
}

export interface QueryRules {
  readonly names: readonly string[];
  /** The names for the error's detail. */
  readonly whose?: string;
  /** Names are equal when their folded forms are. Left out: names are case-sensitive. */
  readonly fold?: ((name: string) => string) | undefined;
  /** Skips other names, instead of refusing them. */
  readonly ignoresOthers?: boolean | undefined;
}

/** @throws HttpProblem 400 for unknown names, too many parameters, and invalid percent-encoding */
export function parseQuery(querystring: string, rules: QueryRules): Query {
  const given = readPairs(querystring.replace(/\+/g, ' '), rules);
  if (!querystring.includes('+')) return given;
  const withPluses = readPairs(querystring, { ...rules, ignoresOthers: true });
  return Object.assign(given, { withPluses });
}

function readPairs(querystring: string, rules: QueryRules): Map<string, string[]> {
  const { names, whose = 'this request', fold = String, ignoresOthers = false } = rules;
  const known = new Map(names.map((name) => [fold(name), name]));
  const given = new Map<string, string[]>();
  const unknown = new Set<string>();
  const pairs = querystring.split('&', maxParameters + 1);
  if (pairs.length > maxParameters)
    throw invalidParameter(`The query has more than ${maxParameters} parameters, empty ones included.`);
  for (const pair of pairs.filter((part) => part !== '')) {
    const at = pair.indexOf('=');
    const written = decode(at === -1 ? pair : pair.slice(0, at));
    const value = at === -1 ? '' : decode(pair.slice(at + 1));
    const name = known.get(fold(written));
    if (name === undefined) unknown.add(written);
    else if (given.get(name)?.push(value) === undefined) given.set(name, [value]);
  }
  if (unknown.size > 0 && !ignoresOthers) throw unknownParameters([...unknown], names, whose);
  return given;
}

function unknownParameters(unknown: readonly string[], names: readonly string[], whose: string): HttpProblem {
  const described = unknown.slice(0, maxViolations).map((name) => {
    const shown = escapePointer(replaceForeignCharacters(name));
    return `"${shown}" is not a parameter of ${whose}${suggest(name, names)}.`;
  });
  const all = names.length === 0 ? 'It takes none.' : `The parameters are ${names.join(', ')}.`;
  return invalidParameter(`${described.join(' ')} ${all}`);
}

/** @throws HttpProblem 400 if there are several */
export function singleOf(given: Query, name: string): string | undefined {
  const [value, ...others] = given.get(name) ?? [];
  if (others.length > 0) throw invalidParameter(`${name} occurs more than once.`);
  return value;
}

/** @throws HttpProblem 400 for a repeated name */
export const singlesOf = (given: Query): Given =>
  new Map([...given.keys()].map((name) => [name, singleOf(given, name) ?? '']));

/** A parameter with its values, encoded as they were sent. */
export function printParameter(given: Query, name: string): string {
  const others = given.withPluses?.get(name) ?? [];
  const values = given.get(name) ?? [];
  return values.map((value, at) => `${name}=${encode(value, others[at] ?? value)}`).join('&');
}

/** A `+` stays, since it means more than a space. @param other the reading with pluses */
function encode(text: string, other: string): string {
  if (other === text) return encodeURIComponent(text);
  const others = Array.from(other);
  return Array.from(text, (one, at) => (one === others[at] ? encodeURIComponent(one) : '+')).join('');
}

/** @param otherwise the value if the parameter is left out @throws HttpProblem 400 for any value but `true` */
export function flagOf(given: Query, name: string, otherwise: string): boolean {
  const text = singleOf(given, name);
  if (text !== undefined && text !== 'true')
    throw invalidParameter(`${name} must be true; leave it out where ${otherwise}.`);
  return text !== undefined;
}

/** For DELETE: with a mistyped value, the values to be erased would remain. @throws HttpProblem 400 */
export const eraseOf = (given: Query): boolean => flagOf(given, 'erase', 'nothing shall be erased');
