/** Prints problems as problem details (RFC 9457), in any format: for every API that doesn't print its failures itself. */
import { maxViolations } from '../../../domain/validation/errors.ts';
import { replaceForeignCharacters } from '../../../domain/validation/schema-validator.ts';
import type { Codec, Format } from '../../formats/port/format.ts';
import { type PrintProblem, type Problem, ProblemDocument, problemNaming } from './problems.ts';

/** The page of a problem type, below the base path. */
export const problemPath = (code: string): string => `/problems/${code}`;

/** The request's id; a trace follows it as the URN's q-component (RFC 8141 §2.3.2), which isn't part of the name. */
const instanceOf = (requestId: string, trace: string | undefined): string =>
  `urn:uuid:${requestId}${trace === undefined ? '' : `?=trace=${trace}`}`;

function documentOf(
  { code, type, detail, violations }: Problem,
  url: (path: string) => string,
  instance: string,
): ProblemDocument {
  const errors = violations
    .slice(0, maxViolations)
    .map(({ pointer, detail: why }) => ({ pointer: replaceForeignCharacters(pointer), detail: why }));
  return {
    type: url(problemPath(code)),
    title: type.title,
    status: type.status,
    detail,
    instance,
    ...(errors.length > 0 ? { errors } : {}),
  };
}

/** One for each service: it keeps a codec for each format, made on first use. */
export function problemPrinter(url: (path: string) => string): PrintProblem {
  const codecs = new Map<Format, Codec<ProblemDocument>>();
  return (problem, requestId, format, trace) => {
    const codec = codecs.get(format) ?? format.codec<ProblemDocument>(ProblemDocument, problemNaming);
    codecs.set(format, codec);
    return {
      contentType: format.problemType,
      content: codec.print(documentOf(problem, url, instanceOf(requestId, trace))),
    };
  };
}
