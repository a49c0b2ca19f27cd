/** The problems of /groups, beside those of all APIs and those that it shares with /users. */
import type { DescribedProblemTypes } from '../../http/problems/problem-types.ts';
import { userProblems } from '../users/problems.ts';

const {
  'id-taken': idTaken,
  'query-too-costly': queryTooCostly,
  'user-not-found': userNotFound,
} = userProblems;

export const groupProblems = {
  'group-not-found': {
    status: 404,
    title: 'Group not found',
    meaning: 'No group has this id: it never existed, or it was deleted.',
    remedy: 'Check the id, or find the group by a filter of the list.',
  },
  'user-not-found': userNotFound,
  'display-name-taken': {
    status: 409,
    title: 'The displayName is in use',
    meaning: 'Another group has this displayName. The case of its letters makes no difference.',
    remedy:
      'Choose another one. When it was a repeated POST of your own, filter the list by displayName to find the group.',
    example: [{ pointer: '/displayName', detail: 'another group has this displayName' }],
  },
  'id-taken': idTaken,
  'query-too-costly': queryTooCostly,
  'invalid-group': {
    status: 422,
    title: 'The group breaks the rules',
    meaning: 'The body was understood, and the group in it breaks rules. Nothing was changed.',
    remedy: 'See errors: each has a pointer (RFC 6901) to the place and says what must be.',
    example: [{ pointer: '/displayName', detail: 'must be there' }],
  },
  'invalid-members': {
    status: 422,
    title: 'The change of members breaks the rules',
    meaning:
      'An id belongs to no user or is in both lists, or the body has too many ids or other members. Nothing was changed.',
    remedy: 'See errors: each has a pointer (RFC 6901) to the place. Leave out users that were deleted.',
    example: [{ pointer: '/add/3', detail: 'belongs to no user' }],
  },
} as const satisfies DescribedProblemTypes;
