/** The query of a request as names and values. Unknown names are refused, never ignored, and so are repetitions where one value is meant. */
import { canonicalDate } from '../../../domain/base/dates.ts';
import { maxViolations } from '../../../domain/base/errors.ts';
import { escapePointer, replaceForeignCharacters } from '../../../domain/base/schema-validator.ts';
import { suggest } from '../../../domain/base/suggest.ts';
import { HttpProblem } from '../../http/problems/problems.ts';

/** By name, decoded. */
export type Given = ReadonlyMap<string, string>;

export const invalidParameter = (detail: string): HttpProblem => new HttpProblem('invalid-parameter', detail);

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidParameter('The query has a percent-encoding that is not UTF-8.');
  }
}

/**
 * All values of each parameter.
 * @param names that may be given @param whose for the detail: `this list`
 * @throws HttpProblem 400 for unknown names
 */
export function parsePairs(
  querystring: string,
  names: readonly string[],
  whose: string,
): ReadonlyMap<string, readonly string[]> {
  const given = new Map<string, string[]>();
  for (const pair of querystring.split('&').filter((part) => part !== '')) {
    const at = pair.indexOf('=');
    const name = decode(at === -1 ? pair : pair.slice(0, at));
    const values = given.get(name) ?? [];
    values.push(at === -1 ? '' : decode(pair.slice(at + 1)));
    given.set(name, values);
  }
  const refused = [...given.keys()].filter((name) => !names.includes(name)).slice(0, maxViolations);
  if (refused.length === 0) return given;
  const described = refused.map((name) => {
    const shown = escapePointer(replaceForeignCharacters(name));
    return `"${shown}" is not a parameter of ${whose}${suggest(name, names)}.`;
  });
  throw invalidParameter(`${described.join(' ')} The parameters are ${names.join(', ')}.`);
}

/** @throws HttpProblem 400 when there are several */
export function singleOf(given: ReadonlyMap<string, readonly string[]>, name: string): string | undefined {
  const [value, ...others] = given.get(name) ?? [];
  if (others.length > 0) throw invalidParameter(`${name} occurs more than once.`);
  return value;
}

/** As `parsePairs`, one value each. @throws HttpProblem 400 for an unknown or duplicate name */
export function parseSingles(querystring: string, names: readonly string[], whose: string): Given {
  const given = parsePairs(querystring, names, whose);
  return new Map([...given.keys()].map((name) => [name, singleOf(given, name) ?? '']));
}

/** An end of a range of dates, as stored dates are. @throws HttpProblem 400 */
export function parseBound(name: string, text: string): string {
  const date = canonicalDate(text, true);
  if (date !== undefined) return date;
  throw invalidParameter(
    `${name} must be a date and time with a zone, such as 2026-01-02T03:04:05Z; encode a + as %2B.`,
  );
}
