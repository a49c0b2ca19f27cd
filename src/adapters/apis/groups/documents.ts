/** The parts that only the API of groups has, and the body of a change of members. */
import * as Type from 'typebox';
import { type GroupInput, maxGroupBytes } from '../../../domain/kinds/group/kind.ts';
import type { Kinds } from '../../../domain/kinds.ts';
import { maxMembersChange } from '../../../domain/use-cases/groups.ts';
import type { BodyType } from '../../http/pipeline/api.ts';
import { defineResource, exampleId, namespace, type ResourceDefinition } from '../resources/definition.ts';

const example: GroupInput = {
  displayName: 'Engineering',
  externalId: 'org-7',
  description: 'All who work on the engines',
};

export const defineGroups = (kinds: Kinds): ResourceDefinition =>
  defineResource({
    kind: kinds.of('group'),
    texts: {
      example,
      shownExample: { memberCount: 2 },
      patchExample: { description: '' },
      inputRules: `Its members are changed by paths of their own. An empty text means the same as leaving the value out. A whole group takes at most ${maxGroupBytes} bytes as JSON.`,
      about: {
        create:
          "With an `id` of the client's choice (a UUID) the request is safe to repeat: the second one gets 409. A new group has no members.",
        replace:
          'Values that the body omits are removed; the members of the group stay. An `id` must be that of the path; `memberCount` and `meta` are ignored.',
        patch:
          'JSON Merge Patch (RFC 7396), or a partial `<group>` by the same rules: an empty element, or one with `xsi:nil="true"`, removes the value. The members of the group stay.',
      },
      nameRule: 'The case of its letters makes no difference.',
    },
  });

const ids = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { item: 'id', maxItems: maxMembersChange, description }));

/** The body of POST /groups/{id}/members. */
export const MembersBody = Type.Object(
  {
    add: ids('Ids of the users that become members.'),
    remove: ids('Ids of the users that cease to be members.'),
  },
  { additionalProperties: false, description: 'A change of the members of a group.' },
);

/** In bytes after decoding: more than the ids take in XML, with white space between them. */
const maxMembersBytes = 2 * 1024 * 1024;

export const membersInput: BodyType = {
  name: 'Members',
  schema: MembersBody,
  naming: { one: 'members', many: 'members', namespace },
  description: `A change of the members of a group: up to ${maxMembersChange} ids of users, in both lists together.`,
  kind: 'whole',
  maxBytes: maxMembersBytes,
  ignores: [],
  example: { add: ['019b7c5a-3f6e-7b21-9d0c-5a7e8f902431'], remove: [exampleId] },
};
