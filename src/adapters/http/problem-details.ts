/** A problem as a document (RFC 9457), in any format that there is: how an API shows its failures unless it says otherwise. */
import { maxViolations, replaceForeignCharacters } from '../../domain/validation.ts';
import type { Codec, Format } from '../formats/format.ts';
import type { PrintProblem } from './api.ts';
import { type Problem, ProblemDocument, problemNaming } from './problems.ts';
import type { Urls } from './urls.ts';

/** Where a type's page is, below the service. */
export const problemPath = (code: string): string => `/problems/${code}`;

function documentOf({ code, type, detail, violations }: Problem, url: Urls, id: string): ProblemDocument {
  const errors = violations
    .slice(0, maxViolations)
    .map(({ pointer, detail: why }) => ({ pointer: replaceForeignCharacters(pointer), detail: why }));
  return {
    type: url(problemPath(code)),
    title: type.title,
    status: type.status,
    detail,
    instance: `urn:uuid:${id}`,
    ...(errors.length > 0 ? { errors } : {}),
  };
}

/** Made once for a service: each format's printer is made when it is first needed. */
export function problemDetails(url: Urls): PrintProblem {
  const codecs = new Map<Format, Codec<ProblemDocument>>();
  return (problem, requestId, format) => {
    const codec = codecs.get(format) ?? format.codec<ProblemDocument>(ProblemDocument, problemNaming);
    codecs.set(format, codec);
    return {
      contentType: format.problemType,
      content: codec.print(documentOf(problem, url, requestId)),
    };
  };
}
