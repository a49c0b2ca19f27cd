/** Proactive negotiation (RFC 9110 §12.5.1): which format an answer is in. */
import type { Format } from '../formats/format.ts';
import { parseMediaType } from './media-type.ts';

/** A format, and which of its media types was asked for. */
export interface Choice {
  readonly format: Format;
  /** Index into `format.mediaTypes`. */
  readonly index: number;
}

/** Negotiates between the formats of one API. */
export interface Negotiator {
  /** The choice whose media type this is, one for patches included, if any. */
  choiceOf(type: string): Choice | undefined;
  /**
   * @param bodyChoice what the request's body is in: it comes first between equals, then the setting
   * @returns undefined when the client accepts none (406)
   */
  choose(accept: string | undefined, bodyChoice?: Choice): Choice | undefined;
  /** Asking for a problem's own media type (RFC 9457 §3) serves as well as asking for the format's. Never 406: a failure is told. */
  chooseForProblem(accept: string | undefined, bodyChoice?: Choice): Format;
  /** What there is, for who accepts none of it. */
  readonly types: readonly string[];
}

type Qualities = ReadonlyMap<string, number>;
type Weigh = (accept: Qualities, choice: Choice) => number | undefined;

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

export const mediaTypeOf = ({ format, index }: Choice) => format.mediaTypes[index] ?? format.mediaTypes[0];

const weighOwn: Weigh = (accept, choice) => quality(accept, mediaTypeOf(choice)?.type ?? '');

const weighForProblem: Weigh = (accept, choice) => {
  const asked = accept.get(choice.format.problemType.split(';')[0] ?? '');
  return Math.max(asked ?? 0, weighOwn(accept, choice) ?? 0);
};

/** The first of the heaviest; undefined when none has weight. */
function best(header: string | undefined, inOrder: readonly Choice[], weigh: Weigh): Choice | undefined {
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

/** @param preferred the name of the format that comes first between equals; of none of them: the first one */
export function negotiator(formats: readonly [Format, ...Format[]], preferred: string): Negotiator {
  const choices = formats.flatMap((format) => format.mediaTypes.map((_, index) => ({ format, index })));
  const types = choices.map((choice) => mediaTypeOf(choice)?.type ?? '');
  const otherwise = choices.find(({ format }) => format.name === preferred) ?? {
    format: formats[0],
    index: 0,
  };
  const inOrder = (first?: Choice): Choice[] => [
    ...new Set([...(first === undefined ? [] : [first]), otherwise, ...choices]),
  ];
  const byDefault = inOrder();
  return {
    types,
    choiceOf: (type) =>
      choices.find((choice) => mediaTypeOf(choice)?.type === type || choice.format.patchTypes.includes(type)),
    choose: (accept, bodyChoice) =>
      best(accept, bodyChoice === undefined ? byDefault : inOrder(bodyChoice), weighOwn),
    chooseForProblem: (accept, bodyChoice) =>
      (best(accept, inOrder(bodyChoice), weighForProblem) ?? otherwise).format,
  };
}
