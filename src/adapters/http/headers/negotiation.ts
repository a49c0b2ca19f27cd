/**
 * Reads media types, and chooses the format of an answer by Accept: proactive negotiation (RFC 9110 §12.5.1).
 *
 * The other files of this folder read a field each; they take and return plain values, and know no request.
 */
import type { Format } from '../../formats/core/format.ts';

/** A media type in a header field (RFC 9110 §8.3.1). */
export interface MediaType {
  /** `type/subtype` in lower case; ranges may have `*`. */
  readonly type: string;
  /** Names in lower case, values as they stand, unquoted. */
  readonly parameters: ReadonlyMap<string, string>;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const shape = new RegExp(`^[ \\t]*(${token}/${token})[ \\t]*(;.*)?$`);
const parameter = new RegExp(`;[ \\t]*(?:(${token})=(?:(${token})|"((?:[^"\\\\]|\\\\.)*)"))?[ \\t]*`, 'y');

/** @returns undefined when the text doesn't keep to the grammar */
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
  /** By a media type without parameters; those for patches lead to their format. */
  choiceOf(type: string): Choice | undefined;
  /**
   * @param bodyChoice the request body's: it comes first between equals, then the setting
   * @returns undefined when the client accepts none (406)
   */
  choose(accept: string | undefined, bodyChoice?: Choice): Choice | undefined;
  /** A problem's own media type (RFC 9457 §3) in Accept serves as well as the format's. Never 406: a failure is always reported. */
  chooseForProblem(accept: string | undefined, bodyChoice?: Choice): Format;
  /** All media types, for the detail of a 406. */
  readonly types: readonly string[];
}

type Qualities = ReadonlyMap<string, number>;
type Weigh = (accept: Qualities, choice: Choice) => number | undefined;

const qvalue = /^(?:0?\.\d{1,3}|0|1(?:\.0{1,3})?|0\.|1\.)$/;

/**
 * The weights of an Accept header by media range. A malformed member is left out: old Java sends `*; q=.2`. Parameters other than
 * `q` don't distinguish our representations and are ignored.
 */
function parseAccept(header: string): Qualities {
  const qualities = new Map<string, number>();
  for (const member of header.split(',')) {
    const range = parseMediaType(member);
    if (range === undefined) continue;
    const q = range.parameters.get('q') ?? '1';
    if (qvalue.test(q)) qualities.set(range.type, Math.max(Number(q), qualities.get(range.type) ?? 0));
  }
  return qualities;
}

/** By the most specific range that covers the type; undefined when none does. */
function qualityOf(accept: Qualities, type: string): number | undefined {
  return accept.get(type) ?? accept.get(`${type.slice(0, type.indexOf('/'))}/*`) ?? accept.get('*/*');
}

export const mediaTypeOf = ({ format, index }: Choice) => format.mediaTypes[index] ?? format.mediaTypes[0];

const weighOwn: Weigh = (accept, choice) => qualityOf(accept, mediaTypeOf(choice)?.type ?? '');

const weighForProblem: Weigh = (accept, choice) => {
  const asked = accept.get(choice.format.problemType.split(';')[0] ?? '');
  return Math.max(asked ?? 0, weighOwn(accept, choice) ?? 0);
};

/** The first of those with the highest weight; undefined when all have none. */
function chooseBest(
  header: string | undefined,
  byPreference: readonly Choice[],
  weigh: Weigh,
): Choice | undefined {
  const accept = parseAccept(header ?? '');
  if (accept.size === 0) return byPreference[0];
  let chosen: Choice | undefined;
  let highest = 0;
  for (const choice of byPreference) {
    const q = weigh(accept, choice) ?? 0;
    if (q > highest) [chosen, highest] = [choice, q];
  }
  return chosen;
}

/** @param preferred the name of the format that comes first between equals; the first one, where none has it */
export function negotiator(formats: readonly [Format, ...Format[]], preferred: string): Negotiator {
  const choices = formats.flatMap((format) => format.mediaTypes.map((_, index) => ({ format, index })));
  const types = choices.map((choice) => mediaTypeOf(choice)?.type ?? '');
  const fallback = choices.find(({ format }) => format.name === preferred) ?? {
    format: formats[0],
    index: 0,
  };
  const byPreference = (first?: Choice): Choice[] => [
    ...new Set([...(first === undefined ? [] : [first]), fallback, ...choices]),
  ];
  const byDefault = byPreference();
  return {
    types,
    choiceOf: (type) =>
      choices.find((choice) => mediaTypeOf(choice)?.type === type || choice.format.patchTypes.includes(type)),
    choose: (accept, bodyChoice) =>
      chooseBest(accept, bodyChoice === undefined ? byDefault : byPreference(bodyChoice), weighOwn),
    chooseForProblem: (accept, bodyChoice) =>
      (chooseBest(accept, byPreference(bodyChoice), weighForProblem) ?? fallback).format,
  };
}
