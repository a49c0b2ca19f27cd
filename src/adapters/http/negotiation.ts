/** Proactive negotiation (RFC 9110 §12.5.1): which format an answer is in. */
import type { Format } from '../formats/format.ts';
import { formats } from '../formats/index.ts';
import { parseMediaType } from './media-type.ts';

/** A format, and which of its media types was asked for. */
export interface Choice {
  readonly format: Format;
  /** Index into `format.mediaTypes`. */
  readonly index: number;
}

type Qualities = ReadonlyMap<string, number>;

const qvalue = /^(?:0?\.\d{1,3}|0|1(?:\.0{1,3})?|0\.|1\.)$/;

/**
 * The ranges of an Accept header with their weights. A member that isn't well-formed is left out: old Java sends
 * `*; q=.2`. Parameters other than `q` don't tell our representations apart and are passed over.
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

/** The weight of a type under its most specific range; undefined when no range covers it. */
function quality(accept: Qualities, type: string): number | undefined {
  return accept.get(type) ?? accept.get(`${type.slice(0, type.indexOf('/'))}/*`) ?? accept.get('*/*');
}

const choices: readonly Choice[] = formats.flatMap((format) =>
  format.mediaTypes.map((_, index) => ({ format, index })),
);

export const mediaTypeOf = ({ format, index }: Choice) => format.mediaTypes[index] ?? format.mediaTypes[0];

/** The choice whose media type this is, one for patches included, if any. */
export const choiceOf = (type: string): Choice | undefined =>
  choices.find((choice) => mediaTypeOf(choice)?.type === type || choice.format.patchTypes.includes(type));

function best(
  header: string | undefined,
  preferred: readonly (Choice | undefined)[],
  weigh: (accept: Qualities, choice: Choice) => number | undefined,
): Choice | undefined {
  const inOrder = [...new Set([...preferred.filter((choice) => choice !== undefined), ...choices])];
  const accept = parseAccept(header ?? '');
  if (accept.size === 0) return inOrder[0];
  let chosen: Choice | undefined;
  let highest = 0;
  for (const choice of inOrder) {
    const q = weigh(accept, choice) ?? 0;
    if (q > highest) [chosen, highest] = [choice, q];
  }
  return chosen;
}

const own = (accept: Qualities, choice: Choice) => quality(accept, mediaTypeOf(choice)?.type ?? '');

/**
 * @param preferred what comes first between equals, in this order: the request body's own format, then the setting
 * @returns undefined when the client accepts none (406)
 */
export function negotiate(header: string | undefined, preferred: readonly (Choice | undefined)[]) {
  return best(header, preferred, own);
}

/** What clients send as Accept, for the most part: libraries' defaults, and the types that there are. */
export const usual: readonly string[] = [
  '',
  '*/*',
  ...formats.flatMap(({ mediaTypes }) => mediaTypes.flatMap(({ type }) => [type, `${type}, */*`])),
  'application/json, text/plain, */*',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
];

/** `negotiate` for requests without a body, answered from a table where the header is a usual one. */
export function usualChoices(otherwise: Choice): (header: string) => Choice | undefined {
  const table = new Map(usual.map((header) => [header, negotiate(header, [otherwise])]));
  return (header) => (table.has(header) ? table.get(header) : negotiate(header, [otherwise]));
}

/**
 * For a problem, asking for its own media type (RFC 9457 §3) serves as well as asking for the format's; never 406, but
 * `otherwise`.
 */
export function negotiateProblem(
  header: string | undefined,
  bodyChoice: Choice | undefined,
  otherwise: Choice,
): Format {
  const weigh = (accept: Qualities, choice: Choice) => {
    const asked = accept.get(choice.format.problemType.split(';')[0] ?? '');
    return Math.max(asked ?? 0, own(accept, choice) ?? 0);
  };
  return (best(header, [bodyChoice, otherwise], weigh) ?? otherwise).format;
}
