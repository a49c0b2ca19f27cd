/** The request and response documents of /groups, for its routes and for the contract. */
import Type from 'typebox';
import { groupFilters, groupSortNames } from '../../../domain/at-import.ts';
import { maxMembersChange } from '../../../domain/groups.ts';
import { Group, GroupInput } from '../../../domain/kinds/group/group.ts';
import type { Naming } from '../../formats/core/format.ts';
import type { BodyType, DocumentType } from '../../http/core/api.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { exampleId } from '../resources/routes.ts';

const namespace = 'urn:user-management:1';
export const groupNaming: Naming = { one: 'group', many: 'groups', namespace };

const exampleInput: GroupInput = {
  displayName: 'Engineering',
  externalId: 'org-7',
  description: 'All who work on the engines',
};

const example: Group = {
  id: exampleId,
  ...exampleInput,
  displayName: 'Engineering',
  memberCount: 2,
  meta: {
    created: '2026-01-02T03:04:05.678Z',
    lastModified: '2026-01-02T03:04:05.678Z',
    version: 'PyVbq3y8nqHSLmyZVxkN3Q',
  },
};

const groupDocument: DocumentType = { name: 'Group', schema: Group, naming: groupNaming, example };

const input = { schema: GroupInput, naming: groupNaming, ignores: ['memberCount', 'meta'] };

export const groupDefinition: ResourceDefinition = {
  name: 'group',
  filters: groupFilters,
  sortNames: groupSortNames,
  alwaysNamed: new Set(),
  schema: Group,
  document: groupDocument,
  list: {
    ...groupDocument,
    name: 'Groups',
    isList: true,
    hasTotal: true,
    description: 'A list of groups, in the requested order; by default in that of their ids.',
  },
  input: {
    ...input,
    name: 'GroupInput',
    description:
      'A group as a client sends it. Its members are changed by paths of their own. An empty text means the same as leaving the value out.',
    kind: 'whole',
    example: { id: exampleId, ...exampleInput },
  },
  patch: {
    ...input,
    name: 'GroupPatch',
    description:
      'A JSON Merge Patch (RFC 7396). It changes the members that it names; all others stay. An empty text removes the member, as `null` does.',
    kind: 'patch',
    example: { description: '' },
  },
  stateOf: ({ membership }) => `m${membership?.revision}`,
  about: {
    create:
      "With an `id` of the client's choice (a UUID) the request is safe to repeat: the second one gets 409. A new group has no members.",
    replace:
      'What the body leaves out is removed; its members stay. `id`, if there, must be that of the path; `memberCount` and `meta` are ignored.',
    patch:
      'JSON Merge Patch (RFC 7396), and by the same rules a partial `<group>`: an element with `xsi:nil="true"`, or an empty one, removes. Its members stay.',
  },
  nameTaken: 'display-name-taken',
};

const ids = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { item: 'id', maxItems: maxMembersChange, description }));

/** Of POST /groups/{id}/members. */
export const Members = Type.Object(
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
  schema: Members,
  naming: { one: 'members', many: 'members', namespace },
  description: `A change of the members of a group: up to ${maxMembersChange} ids of users, in both lists together.`,
  kind: 'whole',
  maxBytes: maxMembersBytes,
  ignores: [],
  example: { add: ['019b7c5a-3f6e-7b21-9d0c-5a7e8f902431'], remove: [exampleId] },
};
