import { User } from '../../../domain/kinds/user/user.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { userDocument, userInput, userList, userPatch } from './documents.ts';
import { userListDefinition } from './list-query.ts';

export const userDefinition: ResourceDefinition = {
  ...userListDefinition,
  schema: User,
  document: userDocument,
  list: userList,
  input: userInput,
  patch: userPatch,
  about: {
    create:
      "With an `id` of the client's choice (a UUID) the request is safe to repeat: the second one gets 409. Leave out `If-Match` and `If-None-Match`: preconditions are evaluated against the list, so a tag in the first, or `*` in the second, gets 412.",
    replace:
      'What the body leaves out is removed, except `active`, which stays. `id`, if there, must be that of the path; `meta` is ignored.',
    patch:
      'JSON Merge Patch (RFC 7396), and by the same rules a partial `<user>`: an element with `xsi:nil="true"`, or an empty one, removes. Lists are replaced as a whole.',
  },
  nameTaken: 'user-name-taken',
};
