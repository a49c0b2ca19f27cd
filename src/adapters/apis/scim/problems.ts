/** The problems of this API, and how any problem is shown here (RFC 7644 §3.12). */
import Type from 'typebox';
import type { DocumentType, PrintProblem } from '../../http/api.ts';
import type { ProblemType, ProblemTypes } from '../../http/problem-types.ts';
import type { Problem } from '../../http/problems.ts';
import { keywords, type ScimType, toCode } from './resource/errors.ts';
import { scimPath } from './resource/scim-path.ts';
import { scimJson } from './scim-json.ts';
import { errorUrn } from './urns.ts';

interface ScimProblem extends ProblemType {
  readonly scimType?: ScimType;
}

const own = Object.fromEntries(
  Object.entries(keywords).map(([scimType, entry]): [string, ScimProblem] => [
    toCode(scimType),
    { status: 400, ...entry, scimType: scimType as ScimType },
  ]),
);

/** Errors of the use cases, as SCIM has them, and what has no keyword: what /users answers with 422 is 400 here. */
const others = {
  'invalid-user': {
    status: 400,
    scimType: 'invalidValue',
    title: 'The user breaks the rules',
    meaning: 'The user in the body breaks rules. Nothing was changed.',
    remedy: 'See detail, which names the attributes.',
  },
  'user-not-found': {
    status: 404,
    title: 'There is no such user',
    meaning: 'No user has this id: there never was one, or it was deleted.',
    remedy: 'Find the user by a filter.',
  },
  'user-name-taken': {
    status: 409,
    scimType: 'uniqueness',
    title: 'The userName is taken',
    meaning: 'Another user has this userName. Case, width and normalisation make no difference.',
    remedy: 'Find that user by a filter, and change it or choose another userName.',
  },
  'id-taken': {
    status: 409,
    scimType: 'uniqueness',
    title: 'The id is taken',
    meaning: 'Another user has this id.',
    remedy: 'Send the request again.',
  },
  'damaged-user': {
    status: 500,
    title: 'What is stored of a user is damaged',
    meaning:
      'What is stored of the user is not a user any more: something else than this service has written it.',
    remedy: 'PUT a whole user in its place, or DELETE it.',
    detail: 'It can be replaced or deleted, not read. The log has more.',
  },
  'scim-filter-refused': {
    status: 403,
    title: 'Filters are not taken here',
    meaning: 'What the service says of itself is not searched (RFC 7644 §4).',
    remedy: 'Leave out the filter.',
  },
  'query-too-costly': {
    status: 400,
    scimType: 'tooMany',
    title: 'The query costs too much',
    meaning: 'So many users would have to be looked at that it was not done.',
    remedy: 'Narrow the filter, or leave out the order.',
  },
} as const satisfies Record<string, ScimProblem>;

/** Of the kernel's problems: what SCIM has a keyword for. */
const keywordsOfKernel: Readonly<Record<string, ScimType>> = {
  'unreadable-body': 'invalidSyntax',
  'invalid-parameter': 'invalidValue',
};

export const scimProblems: ProblemTypes = { ...own, ...others };

const ErrorDocument = Type.Object(
  {
    schemas: Type.Array(Type.Literal(errorUrn), { minItems: 1, item: 'schema' }),
    status: Type.String({ pattern: '^[1-5][0-9][0-9]$', description: 'The status code, as a text.' }),
    scimType: Type.Optional(
      Type.String({ description: 'The keyword of RFC 7644 §3.12, where there is one.' }),
    ),
    detail: Type.Optional(Type.String({ description: 'What is wrong this time.' })),
  },
  { description: 'An error (RFC 7644 §3.12).' },
);

export const errorDocument: DocumentType = {
  name: 'Error',
  schema: ErrorDocument,
  naming: { one: 'error', many: 'errors', namespace: errorUrn },
  example: { schemas: [errorUrn], status: '404', detail: 'There is no such user.' },
};

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
