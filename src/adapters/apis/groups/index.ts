/**
 * `/groups`: groups of users in every format, and their members (members.ts).
 *
 * Documents of groups are served as those of any kind (apis/resources/), by the definition in `documents.ts`. `members.ts` has the routes
 * below a group that read and change its members.
 */
import type { Groups } from '../../../domain/use-cases/groups.ts';
import { growth, xsdDocument } from '../../contracts/schema-documents.ts';
import type { DescribedApi } from '../../http/pipeline/api.ts';
import { resourceApi } from '../resources/index.ts';
import { notFoundProblem } from '../resources/problems.ts';
import type { ResourceServiceParts } from '../resources/service.ts';
import { membersInput } from './documents.ts';
import { memberRoutes } from './members.ts';

/** In bytes after decoding: more than any group in XML and UTF-16. A change of members may be larger. */
const maxBodyBytes = 256 * 1024;

export const groupsApi = (parts: ResourceServiceParts & { readonly resources: Groups }): DescribedApi =>
  resourceApi({
    ...parts,
    description:
      'Groups of users. The members of a group are the users that the list of users has by `group`.',
    maxBodyBytes,
    routes: memberRoutes(parts.resources, parts.formats),
    problems: {
      ...notFoundProblem({ name: 'user' }),
      'member-not-found': {
        status: 404,
        title: 'The user is not a member',
        meaning: 'The group has no member with this id. There may be such a user.',
        remedy:
          'GET /users/{id} tells whether the user exists. PUT at the same path makes the user a member.',
      },
      'invalid-members': {
        status: 422,
        title: 'The change of members breaks the rules',
        meaning:
          'An id belongs to no user or is in both lists, or the body has too many ids or other members. Nothing was changed.',
        remedy: 'See errors: each has a pointer (RFC 6901) to the place. Leave out users that were deleted.',
        example: [{ pointer: '/add/3', detail: 'belongs to no user' }],
      },
    },
  });

/** Published beside the schemas of groups. */
export const membersSchema = xsdDocument('members', 'Changes of members as XML Schema', {
  of: membersInput,
  about: ['The body of POST /groups/{id}/members.', growth],
});
