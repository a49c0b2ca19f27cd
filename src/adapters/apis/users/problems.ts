/** The problems of /users, beside those of all APIs. */
import type { DescribedProblemTypes } from '../../http/problems/problem-types.ts';

export const userProblems = {
  'user-not-found': {
    status: 404,
    title: 'There is no such user',
    meaning: 'No user has this id: there never was one, or it was deleted.',
    remedy: 'Check the id, or find the user by a filter of the list.',
  },
  'user-name-taken': {
    status: 409,
    title: 'The userName is taken',
    meaning: 'Another user has this userName. Case, width and normalisation make no difference (RFC 8265).',
    remedy:
      'Choose another one. When it was a repeated POST of your own, filter the list by userName to find the user.',
    example: [{ pointer: '/userName', detail: 'another user has this userName' }],
  },
  'id-taken': {
    status: 409,
    title: 'The id is taken',
    meaning: 'Another user has the id that the POST chose.',
    remedy:
      'When the POST was a repetition of your own, the first one took effect: read the user with this id. Else choose another id.',
    example: [{ pointer: '/id', detail: 'another user has this id' }],
  },
  'query-too-costly': {
    status: 400,
    title: 'The query costs too much',
    meaning:
      'So many users would have to be looked at, to find those that match in the order that is asked for, that it was not done.',
    remedy:
      'Search for a longer beginning or for more terms, add a filter, leave out total, or take the list in the order of the ids.',
  },
  'invalid-user': {
    status: 422,
    title: 'The user breaks the rules',
    meaning: 'The body was understood, and the user in it breaks rules. Nothing was changed.',
    remedy:
      'See errors: each has a pointer (RFC 6901) to the place and says what must be. Up to 20 are told at once.',
    example: [{ pointer: '/emails/0/value', detail: 'must be an address, local@domain' }],
  },
} as const satisfies DescribedProblemTypes;
