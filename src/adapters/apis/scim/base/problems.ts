/** The problems of this API, and the SCIM format of any problem (RFC 7644 §3.12). */
import type { PrintProblem } from '../../../http/core/api.ts';
import type { ProblemType, ProblemTypes } from '../../../http/problems/problem-types.ts';
import type { Problem } from '../../../http/problems/problems.ts';
import { keywords, type ScimType, toCode } from '../resource/errors.ts';
import { scimPath } from '../resource/scim-path.ts';
import { errorUrn, scimJson } from './messages.ts';

interface ScimProblem extends ProblemType {
  readonly scimType?: ScimType;
}

const own = Object.entries(keywords).map(([scimType, title]): [string, ScimProblem] => [
  toCode(scimType),
  { status: 400, scimType: scimType as ScimType, title },
]);

/** Errors of the use cases, and errors without a SCIM keyword. Where /users returns 422, SCIM returns 400. */
const others = {
  'invalid-user': { status: 400, scimType: 'invalidValue', title: 'The user breaks the rules' },
  'user-not-found': { status: 404, title: 'There is no such user' },
  'user-name-taken': { status: 409, scimType: 'uniqueness', title: 'The userName is taken' },
  'id-taken': { status: 409, scimType: 'uniqueness', title: 'The id is taken' },
  'scim-filter-refused': { status: 403, title: 'Filters are not taken here' },
  'query-too-costly': { status: 400, scimType: 'tooMany', title: 'The query costs too much' },
} as const satisfies Record<string, ScimProblem>;

/** SCIM keywords for problems of the kernel. */
const keywordsOfKernel: Readonly<Record<string, ScimType>> = {
  'unreadable-body': 'invalidSyntax',
  'invalid-parameter': 'invalidValue',
};

export const scimProblems: ProblemTypes = { ...Object.fromEntries(own), ...others };

/** The SCIM error, for a response or for an operation of a Bulk. */
export function errorOf({ code, type, detail, violations }: Problem) {
  const scimType = (type as ScimProblem).scimType ?? keywordsOfKernel[code];
  const places = violations.map(({ pointer, detail: why }) => `${scimPath(pointer)} ${why}`.trim());
  // For a conflict, the detail is complete.
  const isAtPlaces = code === 'invalid-user' && places.length > 0;
  return {
    schemas: [errorUrn],
    status: String(type.status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: isAtPlaces ? `${places.join('; ')}.` : detail,
  };
}

export const printScimError: PrintProblem = (problem) => ({
  contentType: scimJson.problemType,
  content: JSON.stringify(errorOf(problem)),
});
