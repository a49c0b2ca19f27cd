/** The routes of /users, as data, for the kernel and for the published contract. */

import { scopeOf } from '../../../domain/scopes.ts';
import { User } from '../../../domain/user/user.ts';
import { textSchemaOf } from '../../contracts/request-schema.ts';
import type { Answer, DescribedRoute, RequestHeader, ResponseHeader } from '../../http/core/api.ts';
import { exampleId, userDocument, userInput, userList, userPatch } from './documents.ts';
import { createUser, patchUser, readUser, removeUser, replaceUser } from './handlers.ts';
import { listUsers } from './list.ts';
import { listDescription, listParameterTypes } from './list-parameters.ts';
import type { UsersService } from './users-service.ts';

const users = '/users';
const user = '/users/:id';

const idParameter = {
  description: "The user's id; its letters may be in either case.",
  // A pattern, not a format: from `uuid`, generators create a type that differs from the string `id` in documents.
  schema: { type: User.properties.id.type, pattern: textSchemaOf(User.properties.id, 'id').pattern },
  example: exampleId,
};

const bodyProblems: readonly string[] = [
  'unreadable-body',
  'not-acceptable',
  'body-too-large',
  'unsupported-media-type',
  'unsupported-content-coding',
  'invalid-user',
  'user-name-taken',
  'outcome-unknown',
];
const changeProblems: readonly string[] = ['user-not-found', 'precondition-failed', 'precondition-required'];

const lockHeaders: readonly RequestHeader[] = ['If-Match', 'If-None-Match', 'If-Unmodified-Since'];
const writeHeaders: readonly ResponseHeader[] = ['Content-Location', 'ETag', 'Last-Modified'];
const preferenceHeaders: readonly ResponseHeader[] = ['Preference-Applied'];

/** PUT and PATCH have the same responses. */
const changeAnswers: readonly Answer[] = [
  {
    status: 200,
    description: 'The user as it is now.',
    shows: userDocument,
    headers: writeHeaders,
    optionalHeaders: preferenceHeaders,
  },
  {
    status: 204,
    description: 'Changed; no body because of `Prefer: return=minimal`.',
    headers: [...writeHeaders, ...preferenceHeaders],
  },
];

export const userRoutes = (service: UsersService): readonly DescribedRoute[] => [
  {
    method: 'GET',
    path: users,
    id: 'listUsers',
    scope: scopeOf('user', 'list'),
    isNegotiated: true,
    handle: (ctx) => listUsers(ctx, service),
    summary: 'List users',
    description: listDescription,
    query: listParameterTypes,
    headers: ['If-None-Match', 'If-Match'],
    answers: [
      {
        status: 200,
        description: 'The users.',
        shows: userList,
        headers: [],
        optionalHeaders: ['ETag', 'Link'],
      },
      { status: 304, description: 'Nothing has changed.', headers: [], optionalHeaders: ['ETag', 'Link'] },
    ],
    problems: [
      'invalid-parameter',
      'query-too-costly',
      'not-acceptable',
      'precondition-failed',
      'damaged-user',
    ],
  },
  {
    method: 'POST',
    path: users,
    id: 'createUser',
    scope: scopeOf('user', 'create'),
    isNegotiated: true,
    handle: (ctx) => createUser(ctx, service),
    summary: 'Create a user',
    description:
      "With an `id` of the client's choice (a UUID) the request is safe to repeat: the second one gets 409. Leave out `If-Match` and `If-None-Match`: preconditions are evaluated against the list, so a tag in the first, or `*` in the second, gets 412.",
    headers: ['If-Match', 'If-None-Match', 'Content-Encoding', 'Prefer'],
    takes: userInput,
    answers: [
      {
        status: 201,
        description: 'The user as it was created; no body with `Prefer: return=minimal`.',
        shows: userDocument,
        headers: ['Location', ...writeHeaders],
        optionalHeaders: preferenceHeaders,
      },
    ],
    problems: [...bodyProblems, 'id-taken', 'precondition-failed'],
  },
  {
    method: 'GET',
    path: user,
    params: { id: idParameter },
    id: 'readUser',
    scope: scopeOf('user', 'read'),
    isNegotiated: true,
    handle: (ctx) => readUser(ctx, service),
    summary: 'Read a user',
    description: 'With its entity tag, which a later change takes in `If-Match`.',
    headers: ['If-None-Match', 'If-Modified-Since', 'If-Match', 'If-Unmodified-Since'],
    answers: [
      { status: 200, description: 'The user.', shows: userDocument, headers: ['ETag', 'Last-Modified'] },
      { status: 304, description: 'It has not changed.', headers: ['ETag', 'Last-Modified'] },
    ],
    problems: ['not-acceptable', 'user-not-found', 'precondition-failed', 'damaged-user'],
  },
  {
    method: 'PUT',
    path: user,
    params: { id: idParameter },
    id: 'replaceUser',
    scope: scopeOf('user', 'replace'),
    isNegotiated: true,
    handle: (ctx) => replaceUser(ctx, service),
    summary: 'Replace a user',
    description:
      'What the body leaves out is removed, except `active`, which stays. `id`, if there, must be that of the path; `meta` is ignored.',
    headers: [...lockHeaders, 'Content-Encoding', 'Prefer'],
    takes: userInput,
    answers: changeAnswers,
    problems: [...bodyProblems, ...changeProblems],
  },
  {
    method: 'PATCH',
    path: user,
    params: { id: idParameter },
    id: 'patchUser',
    scope: scopeOf('user', 'patch'),
    isNegotiated: true,
    handle: (ctx) => patchUser(ctx, service),
    summary: 'Change a user in part',
    description:
      'JSON Merge Patch (RFC 7396), and by the same rules a partial `<user>`: an element with `xsi:nil="true"`, or an empty one, removes. Lists are replaced as a whole.',
    headers: [...lockHeaders, 'Content-Encoding', 'Prefer'],
    takes: userPatch,
    answers: changeAnswers,
    problems: [...bodyProblems, ...changeProblems, 'damaged-user'],
  },
  {
    method: 'DELETE',
    path: user,
    params: { id: idParameter },
    id: 'removeUser',
    scope: scopeOf('user', 'remove'),
    isNegotiated: false,
    handle: (ctx) => removeUser(ctx, service),
    summary: 'Delete a user',
    description: 'Deletes the user permanently.',
    headers: lockHeaders,
    answers: [{ status: 204, description: 'Deleted.', headers: [] }],
    problems: [...changeProblems, 'outcome-unknown'],
  },
];
