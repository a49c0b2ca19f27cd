/**
 * Reads media types, and chooses the format of an answer by Accept: proactive negotiation (RFC 9110 §12.5.1).
 *
 * The other files of this folder read a field each; they take and return plain values, and know no request. Elsewhere: the fields of
 * responses (`../pipeline/respond.ts`), CORS (`../cors.ts`), ETag, If-Match and other preconditions (`../pipeline/conditional.ts`).
 */
import type { Format } from '../../formats/port/format.ts';

/** A media type in a header field (RFC 9110 §8.3.1). */
interface MediaType {
  /** `type/subtype` in lower case; ranges may have `*`. */
  readonly type: string;
  /** Names in lower case, values as they stand, unquoted. */
  readonly parameters: ReadonlyMap<string, string>;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const shape = new RegExp(`^[ \\t]*(${token}/${token})[ \\t]*(;.*)?$`);
const parameter = new RegExp(
  `(?:;[ \\t]*)+(?:(${token})=(?:(${token})|"((?:[^"\\\\]|\\\\.)*)"))?[ \\t]*`,
  'y',
);

/** @returns undefined for text that violates the grammar */
export function parseMediaType(text: string): MediaType | undefined {
  const [, type, rest = ''] = shape.exec(text) ?? [];
  if (type === undefined) return undefined;
  const parameters = new Map<string, string>();
  parameter.lastIndex = 0;
  while (parameter.lastIndex < rest.length) {
    const found = parameter.exec(rest);
    if (found === null) return undefined;
    const [, name, plain, quoted] = found;
    if (name !== undefined)
      parameters.set(name.toLowerCase(), plain ?? quoted?.replace(/\\(.)/g, '$1') ?? '');
  }
  return { type: type.toLowerCase(), parameters };
}

/** A format, and one of its media types. */
export interface Choice {
  readonly format: Format;
  /** Index into `format.mediaTypes`. */
  readonly index: number;
}

/** Negotiates between the formats of one API. */
export interface Negotiator {
  /** Finds the choice for a media type without parameters; the media types of patches lead to their format. */
  choiceOf(type: string): Choice | undefined;
  /**
   * @param bodyChoice the choice of the request body: between equals it precedes the order of the list, which precedes the setting
   * @returns undefined if the client accepts none (406)
   */
  choose(accept: string | undefined, bodyChoice?: Choice): Choice | undefined;
  /** A problem's own media type (RFC 9457 §3) in Accept serves as well as the format's. Never 406: a failure is always reported. */
  chooseForProblem(accept: string | undefined, bodyChoice?: Choice): Format;
  /** All media types, for the detail of a 406. */
  readonly types: readonly string[];
}

/** A media range of Accept. */
interface Range {
  readonly q: number;
  /** Not any type. */
  readonly isNamed: boolean;
  /** In the list. */
  readonly at: number;
}

/** The preferences by media range. */
type Ranges = ReadonlyMap<string, Range>;
/** @returns the range that covers the choice; undefined for none */
type Match = (accept: Ranges, choice: Choice) => Range | undefined;

const qvalue = /^(?:0?\.\d{1,3}|0|1(?:\.0{1,3})?|0\.|1\.)$/;

/**
 * The media ranges of an Accept header. A malformed member is left out: old Java sends `*; q=.2`. Parameters other than
 * `q` don't distinguish our representations and are ignored.
 */
function parseAccept(header: string): Ranges {
  const ranges = new Map<string, Range>();
  for (const [place, member] of header.split(',').entries()) {
    const { type = '', parameters } = parseMediaType(member) ?? {};
    const text = parameters?.get('q') ?? '1';
    if (type === '' || !qvalue.test(text)) continue;
    const { q, at } = ranges.get(type) ?? { q: 0, at: place };
    ranges.set(type, { q: Math.max(Number(text), q), isNamed: type !== '*/*', at });
  }
  return ranges;
}

/** The most specific range that covers the type; undefined when none does. */
function rangeOf(accept: Ranges, type: string): Range | undefined {
  return accept.get(type) ?? accept.get(`${type.slice(0, type.indexOf('/'))}/*`) ?? accept.get('*/*');
}

export const mediaTypeOf = ({ format, index }: Choice) => format.mediaTypes[index] ?? format.mediaTypes[0];

/** Clients name the types that they can read, and often add a wildcard with the same weight: a named type goes first. */
const compareClaims = (one: Range, other: Range): number =>
  one.q - other.q || Number(one.isNamed) - Number(other.isNamed);

const matchOwn: Match = (accept, choice) => rangeOf(accept, mediaTypeOf(choice)?.type ?? '');

const matchForProblem: Match = (accept, choice) => {
  const asked = accept.get(choice.format.problemType.split(';')[0] ?? '');
  const own = matchOwn(accept, choice);
  return asked === undefined || (own !== undefined && compareClaims(own, asked) > 0) ? own : asked;
};

/** The choice with the highest claim; undefined when none is acceptable. Between equals, the body's, then the earliest in the list. */
function chooseBest(
  header: string | undefined,
  byPreference: readonly Choice[],
  match: Match,
  bodyChoice: Choice | undefined,
): Choice | undefined {
  const accept = parseAccept(header ?? '');
  if (accept.size === 0) return byPreference[0];
  let chosen: Choice | undefined;
  let best: Range = { q: 0, isNamed: true, at: 0 };
  for (const choice of byPreference) {
    const range = match(accept, choice);
    if (range === undefined) continue;
    const claim = compareClaims(range, best);
    const isEarlier = claim === 0 && chosen !== undefined && chosen !== bodyChoice && range.at < best.at;
    if (claim > 0 || isEarlier) [chosen, best] = [choice, range];
  }
  return chosen;
}

/** @param preferred the name of the format that comes first between equals; otherwise the first format of the list */
export function negotiator(formats: readonly [Format, ...Format[]], preferred: string): Negotiator {
  const choices = formats.flatMap((format) => format.mediaTypes.map((_, index) => ({ format, index })));
  const types = choices.map((choice) => mediaTypeOf(choice)?.type ?? '');
  const wanted = choices.find(({ format }) => format.name === preferred);
  const fallback = wanted ?? { format: formats[0], index: 0 };
  const byDefault = [...new Set([fallback, ...choices])];
  const byPreference = (first: Choice | undefined): readonly Choice[] =>
    first === undefined ? byDefault : [...new Set([first, ...byDefault])];
  return {
    types,
    choiceOf: (type) =>
      choices.find((choice) => mediaTypeOf(choice)?.type === type || choice.format.patchTypes.includes(type)),
    choose: (accept, bodyChoice) => chooseBest(accept, byPreference(bodyChoice), matchOwn, bodyChoice),
    chooseForProblem: (accept, bodyChoice) =>
      (chooseBest(accept, byPreference(bodyChoice), matchForProblem, bodyChoice) ?? fallback).format,
  };
}
