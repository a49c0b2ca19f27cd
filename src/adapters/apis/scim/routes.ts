/** The routes of this API, as data, for the kernel and for the published contract. */
import { operations } from '../../../domain/scopes.ts';
import type {
  Answer,
  DocumentType,
  Parameter,
  RequestHeader,
  ResponseHeader,
  Route,
} from '../../http/api.ts';
import { HttpProblem } from '../../http/problems.ts';
import { performBulk } from './bulk.ts';
import { bulkBody, bulkResponse, listOf, patchBody, searchBody, sortOrderPattern } from './documents.ts';
import { listUsers, searchUsers } from './list.ts';
import { integers, maxCount, type parameterNames, sortableAttributes } from './parameters.ts';
import { maxNames, patterns } from './projection.ts';
import { base, type ScimService } from './service.ts';
import { userBody, userResource } from './user-document.ts';
import { createUser, patchUser, readUser, removeUser, replaceUser } from './users.ts';

const texts = (description: string): Parameter => ({ description, schema: { type: 'string' } });

const names = (what: string): Parameter => ({
  description: `${what}: at most ${maxNames} names, separated by commas; those that nothing has count for nothing. Not both, attributes and excludedAttributes.`,
  schema: { type: 'string', pattern: patterns.names },
});

const parameters: Readonly<Record<(typeof parameterNames)[number], Parameter>> = {
  filter: texts('RFC 7644 §3.4.2.2, such as `userName eq "ada@example.com"`.'),
  sortBy: texts(`One of ${sortableAttributes.join(', ')}.`),
  sortOrder: {
    description: 'ascending or descending, in any case of letters.',
    schema: { type: 'string', pattern: sortOrderPattern },
  },
  startIndex: {
    description: 'Counted from one; less counts as one.',
    schema: { type: 'integer', ...integers },
  },
  count: {
    description: `Of users in the page; at most ${maxCount} are given.`,
    schema: { type: 'integer', ...integers },
  },
  cursor: texts(
    'RFC 9865: empty for the first page, then as the answer before gave it; not with startIndex.',
  ),
  attributes: names('What is shown'),
  excludedAttributes: names('What is left out'),
};

const { attributes, excludedAttributes } = parameters;
const projection = { attributes, excludedAttributes };

const id = {
  description: "The user's id; its letters may be in either case.",
  schema: { type: 'string', format: 'uuid' },
  example: '019b7c5a-3f6e-7c3a-8a52-0d6f4e1b9c10',
};

const messageProblems: readonly string[] = [
  'unreadable-body',
  'not-acceptable',
  'body-too-large',
  'unsupported-media-type',
  'unsupported-content-coding',
  'scim-invalid-syntax',
  'scim-invalid-value',
  'scim-invalid-path',
];
const writeProblems: readonly string[] = [
  ...messageProblems,
  'invalid-user',
  'user-name-taken',
  'outcome-unknown',
  'damaged-user',
];
const changeProblems: readonly string[] = ['user-not-found', 'precondition-failed', 'precondition-required'];
const listProblems: readonly string[] = [
  'not-acceptable',
  ...['filter', 'value', 'path', 'cursor', 'count'].map((what) => `scim-invalid-${what}`),
  'query-too-costly',
  'damaged-user',
];

const lockHeaders: readonly RequestHeader[] = ['If-Match', 'If-None-Match', 'If-Unmodified-Since'];
const validators: readonly ResponseHeader[] = ['ETag', 'Last-Modified'];

const userList = listOf(userResource);
const listAnswers: readonly Answer[] = [
  { status: 200, description: 'The users.', shows: userList, headers: [] },
];
const changed: readonly Answer[] = [
  { status: 200, description: 'The user as it is now.', shows: userResource, headers: validators },
];

const searchRoute = (path: string, operationId: string, service: ScimService): Route => ({
  method: 'POST',
  path: `${base}${path}`,
  id: operationId,
  scope: operations.list,
  isNegotiated: true,
  handle: (ctx) => searchUsers(ctx, service),
  summary: 'List users, as a body asks for',
  headers: ['Content-Encoding'],
  takes: searchBody,
  answers: listAnswers,
  problems: [...listProblems, ...messageProblems],
});

const listRoutes = (service: ScimService): readonly Route[] => [
  {
    method: 'GET',
    path: `${base}/Users`,
    id: 'listUsers',
    scope: operations.list,
    isNegotiated: true,
    handle: (ctx) => listUsers(ctx, service),
    summary: 'List users',
    description:
      'By index or, with `cursor`, by cursor. Parameters that are not known are ignored (RFC 7644 §3.4.2).',
    query: parameters,
    headers: [],
    answers: listAnswers,
    problems: listProblems,
  },
  searchRoute('/Users/.search', 'searchUsers', service),
  searchRoute('/.search', 'search', service),
];

const userRoutes = (service: ScimService): readonly Route[] => [
  {
    method: 'POST',
    path: `${base}/Users`,
    id: 'createUser',
    scope: operations.create,
    isNegotiated: true,
    handle: (ctx) => createUser(ctx, service),
    summary: 'Create a user',
    query: projection,
    headers: ['If-Match', 'If-None-Match', 'Content-Encoding'],
    takes: userBody,
    answers: [
      {
        status: 201,
        description: 'The user as it was created.',
        shows: userResource,
        headers: ['Location', ...validators],
      },
    ],
    problems: [...writeProblems, 'precondition-failed'],
  },
  {
    method: 'GET',
    path: `${base}/Users/:id`,
    params: { id },
    id: 'readUser',
    scope: operations.read,
    isNegotiated: true,
    handle: (ctx) => readUser(ctx, service),
    summary: 'Read a user',
    query: projection,
    headers: ['If-None-Match', 'If-Modified-Since', 'If-Match', 'If-Unmodified-Since'],
    answers: [
      { status: 200, description: 'The user.', shows: userResource, headers: validators },
      { status: 304, description: 'It has not changed.', headers: validators },
    ],
    problems: [
      'not-acceptable',
      'user-not-found',
      'precondition-failed',
      'damaged-user',
      'scim-invalid-value',
      'scim-invalid-path',
    ],
  },
  {
    method: 'PUT',
    path: `${base}/Users/:id`,
    params: { id },
    id: 'replaceUser',
    scope: operations.replace,
    isNegotiated: true,
    handle: (ctx) => replaceUser(ctx, service),
    summary: 'Replace a user',
    description:
      'What the body leaves out is removed, except `active`, and except what an installation adds where the body says nothing of its schema.',
    query: projection,
    headers: [...lockHeaders, 'Content-Encoding'],
    takes: userBody,
    answers: changed,
    problems: [...writeProblems, ...changeProblems],
  },
  {
    method: 'PATCH',
    path: `${base}/Users/:id`,
    params: { id },
    id: 'patchUser',
    scope: operations.change,
    isNegotiated: true,
    handle: (ctx) => patchUser(ctx, service),
    summary: 'Change a user in part',
    query: projection,
    headers: [...lockHeaders, 'Content-Encoding'],
    takes: patchBody,
    answers: changed,
    problems: [...writeProblems, ...changeProblems, 'scim-no-target', 'scim-mutability'],
  },
  {
    method: 'DELETE',
    path: `${base}/Users/:id`,
    params: { id },
    id: 'removeUser',
    scope: operations.remove,
    isNegotiated: false,
    handle: (ctx) => removeUser(ctx, service),
    summary: 'Delete a user',
    description: 'For good.',
    headers: lockHeaders,
    answers: [{ status: 204, description: 'Deleted.', headers: [] }],
    problems: [...changeProblems, 'outcome-unknown'],
  },
];

const bulkRoute = (service: ScimService): Route => ({
  method: 'POST',
  path: `${base}/Bulk`,
  id: 'performBulk',
  scope: operations.create,
  isNegotiated: true,
  handle: (ctx) => performBulk(ctx, service),
  summary: 'Write many users',
  description: 'An operation that deletes takes `users:delete` besides.',
  headers: ['Content-Encoding'],
  takes: bulkBody,
  answers: [
    {
      status: 200,
      description: 'The outcome of each operation.',
      shows: bulkResponse as DocumentType,
      headers: [],
    },
  ],
  problems: messageProblems,
});

/** `/Me` would be whoever asks; but clients of this service are programs, not its users (RFC 7644 §3.11). */
const meRoutes = (): readonly Route[] =>
  (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) => ({
    method,
    path: `${base}/Me`,
    id: `${method.toLowerCase()}Me`,
    isNegotiated: false,
    handle() {
      throw new HttpProblem('not-implemented', 'Credentials here are of programs: none of them is a user.');
    },
    summary: 'Not there',
    headers: [],
    answers: [],
    problems: ['not-implemented'],
  }));

export const scimRoutes = (service: ScimService): readonly Route[] => [
  ...listRoutes(service),
  ...userRoutes(service),
  bulkRoute(service),
  ...meRoutes(),
];
