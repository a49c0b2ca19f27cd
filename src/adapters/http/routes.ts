/** Every route, as data: what routing.ts serves and the published contract tells. */
import { listParameters } from './list-query.ts';
import { type ProblemCode, problemsAnywhere } from './problems.ts';
import type { Answer, AnswerHeader, RequestHeader, Route } from './route.ts';
import { createUser, patchUser, readUser, removeUser, replaceUser } from './user-handlers.ts';
import { listUsers } from './user-list.ts';

const users = '/users';
const user = '/users/:id';

const always: readonly ProblemCode[] = [
  ...problemsAnywhere,
  'unauthenticated',
  'insufficient-scope',
  'unavailable',
  'overloaded',
];
const ofBodies: readonly ProblemCode[] = [
  'unreadable-body',
  'not-acceptable',
  'body-too-large',
  'unsupported-media-type',
  'unsupported-content-coding',
  'invalid-user',
  'user-name-taken',
  'outcome-unknown',
];
const ofChanges: readonly ProblemCode[] = ['user-not-found', 'precondition-failed', 'precondition-required'];

const locks: readonly RequestHeader[] = ['If-Match', 'If-None-Match', 'If-Unmodified-Since'];
const written: readonly AnswerHeader[] = ['Content-Location', 'ETag', 'Last-Modified'];
const preference: readonly AnswerHeader[] = ['Preference-Applied'];

/** PUT and PATCH answer alike. */
const changed: readonly Answer[] = [
  {
    status: 200,
    description: 'The user as it is now.',
    shows: 'user',
    headers: written,
    optionalHeaders: preference,
  },
  {
    status: 204,
    description: 'Changed, and `Prefer: return=minimal` asked for no more.',
    headers: [...written, ...preference],
  },
];

export const routes: readonly Route[] = [
  {
    method: 'GET',
    path: users,
    operation: 'list',
    answersWithBody: true,
    handler: listUsers,
    summary: 'List users',
    description:
      'All users in the order of their ids, or with `limit` a page of them: `Link` leads to the next. Filters are exact and add up. A parameter that is unknown, stands twice or is malformed is refused.',
    query: listParameters,
    headers: ['If-None-Match', 'If-Match'],
    answers: [
      {
        status: 200,
        description: 'The users.',
        shows: 'users',
        headers: [],
        optionalHeaders: ['ETag', 'Link'],
      },
      { status: 304, description: 'Nothing has changed.', headers: [], optionalHeaders: ['ETag', 'Link'] },
    ],
    problems: [...always, 'invalid-parameter', 'not-acceptable', 'precondition-failed', 'damaged-user'],
  },
  {
    method: 'POST',
    path: users,
    operation: 'create',
    answersWithBody: true,
    handler: createUser,
    summary: 'Create a user',
    description:
      "With an `id` of the client's choice (a UUID) it is safe to repeat: the second time is answered with 409. What it is asked of is the list: a tag in `If-Match`, or `*` in `If-None-Match`, is 412.",
    query: [],
    headers: ['If-Match', 'If-None-Match', 'Content-Encoding', 'Prefer'],
    takes: 'user',
    answers: [
      {
        status: 201,
        description:
          'The user as it was created; nothing of it when `Prefer: return=minimal` asked for no more.',
        shows: 'user',
        headers: ['Location', ...written],
        optionalHeaders: preference,
      },
    ],
    problems: [...always, ...ofBodies, 'id-taken', 'precondition-failed'],
  },
  {
    method: 'GET',
    path: user,
    operation: 'read',
    answersWithBody: true,
    handler: readUser,
    summary: 'Read a user',
    description: 'With its entity tag, which a later change takes in `If-Match`.',
    query: [],
    headers: ['If-None-Match', 'If-Modified-Since', 'If-Match', 'If-Unmodified-Since'],
    answers: [
      { status: 200, description: 'The user.', shows: 'user', headers: ['ETag', 'Last-Modified'] },
      { status: 304, description: 'It has not changed.', headers: ['ETag', 'Last-Modified'] },
    ],
    problems: [...always, 'not-acceptable', 'user-not-found', 'precondition-failed', 'damaged-user'],
  },
  {
    method: 'PUT',
    path: user,
    operation: 'replace',
    answersWithBody: true,
    handler: replaceUser,
    summary: 'Replace a user',
    description:
      'What the body leaves out is removed, except `active`, which stays. `id`, if there, must be that of the path; `meta` is ignored.',
    query: [],
    headers: [...locks, 'Content-Encoding', 'Prefer'],
    takes: 'user',
    answers: changed,
    problems: [...always, ...ofBodies, ...ofChanges],
  },
  {
    method: 'PATCH',
    path: user,
    operation: 'patch',
    answersWithBody: true,
    handler: patchUser,
    summary: 'Change a user in part',
    description:
      'JSON Merge Patch (RFC 7396), and by the same rules a partial `<user>`: an element with `xsi:nil="true"`, or an empty one, removes. Lists are replaced as a whole.',
    query: [],
    headers: [...locks, 'Content-Encoding', 'Prefer'],
    takes: 'patch',
    answers: changed,
    problems: [...always, ...ofBodies, ...ofChanges, 'damaged-user'],
  },
  {
    method: 'DELETE',
    path: user,
    operation: 'remove',
    answersWithBody: false,
    handler: removeUser,
    summary: 'Delete a user',
    description: 'For good.',
    query: [],
    headers: locks,
    answers: [{ status: 204, description: 'Deleted.', headers: [] }],
    problems: [...always, ...ofChanges, 'outcome-unknown'],
  },
];
