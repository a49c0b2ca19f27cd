/** The problems of this API, and the SCIM format of any problem (RFC 7644 §3.12). */
import type { ProblemType, ProblemTypes } from '../../../http/problems/problem-types.ts';
import type { PrintProblem, Problem } from '../../../http/problems/problems.ts';
import { isScimViolation, joinDetails, keywords, type ScimType, toCode } from '../resource/errors.ts';
import { scimPath } from '../resource/resource.ts';
import type { ResourceType } from '../resource/resource-type.ts';
import { errorUrn, scimJson } from './messages.ts';

interface ScimProblem extends ProblemType {
  readonly scimType?: ScimType;
  /** Violations are the detail: names a place in the resource. */
  readonly placeOf?: (pointer: string) => string;
}

const own = Object.entries(keywords).map(([scimType, title]): [string, ScimProblem] => [
  toCode(scimType),
  { status: 400, scimType: scimType as ScimType, title },
]);

/** Errors of the use cases, and errors without a SCIM keyword. Where /users returns 422, SCIM returns 400. */
const others = {
  'id-taken': { status: 409, scimType: 'uniqueness', title: 'The id is taken' },
  'scim-filter-refused': { status: 403, title: 'Filters are not supported here' },
  'query-too-costly': { status: 400, scimType: 'tooMany', title: 'The query costs too much' },
} as const satisfies Record<string, ScimProblem>;

const ofType = (type: ResourceType): Record<string, ScimProblem> => {
  const { name, unique } = type.kind;
  return {
    [`invalid-${name}`]: {
      ...{ status: 400, scimType: 'invalidValue', title: `The ${name} breaks the rules` },
      placeOf: (pointer) => scimPath(type, pointer),
    },
    [`${name}-not-found`]: { status: 404, title: `There is no such ${name}` },
    'attribute-taken': { status: 409, scimType: 'uniqueness', title: 'The value of an attribute is taken' },
    [unique.taken]: { status: 409, scimType: 'uniqueness', title: `The ${unique.member} is taken` },
  };
};

const keywordsOfKernel: Readonly<Record<string, ScimType>> = {
  'unreadable-body': 'invalidSyntax',
  'invalid-parameter': 'invalidValue',
};

export const scimProblems = (types: readonly ResourceType[]): ProblemTypes => ({
  ...Object.fromEntries(own),
  ...others,
  ...Object.assign({}, ...types.map(ofType)),
});

/** The SCIM error, for a response or for an operation of a Bulk. */
export function errorOf({ code, type, detail, violations }: Problem) {
  const { scimType = keywordsOfKernel[code], placeOf } = type as ScimProblem;
  const places = placeOf
    ? violations.map((one) =>
        isScimViolation(one) ? one.detail : `${placeOf(one.pointer)} ${one.detail}`.trim(),
      )
    : [];
  const keyword = violations.find(isScimViolation)?.scimType ?? scimType;
  return {
    schemas: [errorUrn],
    status: String(type.status),
    ...(keyword === undefined ? {} : { scimType: keyword }),
    detail: places.length > 0 ? joinDetails(places) : detail,
  };
}

export const printScimError: PrintProblem = (problem) => ({
  contentType: scimJson.problemType,
  content: JSON.stringify(errorOf(problem)),
});
