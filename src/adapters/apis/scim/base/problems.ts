/** The problems of this API, and how any problem is shown here (RFC 7644 §3.12). */
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

/** Errors of the use cases, as SCIM has them, and what has no keyword: what /users answers with 422 is 400 here. */
const others = {
  'invalid-user': { status: 400, scimType: 'invalidValue', title: 'The user breaks the rules' },
  'user-not-found': { status: 404, title: 'There is no such user' },
  'user-name-taken': { status: 409, scimType: 'uniqueness', title: 'The userName is taken' },
  'id-taken': { status: 409, scimType: 'uniqueness', title: 'The id is taken' },
  'damaged-user': {
    status: 500,
    title: 'What is stored of a user is damaged',
    detail: 'It can be replaced or deleted, not read. The log has more.',
  },
  'scim-filter-refused': { status: 403, title: 'Filters are not taken here' },
  'query-too-costly': { status: 400, scimType: 'tooMany', title: 'The query costs too much' },
} as const satisfies Record<string, ScimProblem>;

/** Of the kernel's problems: what SCIM has a keyword for. */
const keywordsOfKernel: Readonly<Record<string, ScimType>> = {
  'unreadable-body': 'invalidSyntax',
  'invalid-parameter': 'invalidValue',
};

export const scimProblems: ProblemTypes = { ...Object.fromEntries(own), ...others };

/** The document of a problem, for an answer or for an operation of a Bulk. */
export function errorOf({ code, type, detail, violations }: Problem) {
  const scimType = (type as ScimProblem).scimType ?? keywordsOfKernel[code];
  const places = violations.map(({ pointer, detail: why }) => `${scimPath(pointer)} ${why}`.trim());
  // Of a conflict the detail says it all.
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
