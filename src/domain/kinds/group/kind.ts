/**
 * Groups, as a kind of resource.
 *
 * `group.ts` has the schema, `display-name.ts` the mapping of the unique name. `use-cases/groups.ts` adds and removes members.
 */

import { asIs, oneKey } from '../../find/filters.ts';
import { byMember } from '../../find/owners.ts';
import { noMembers } from '../../resource/stored.ts';
import { anyCaseUuidPattern, canonicalUuid } from '../../validation/plain-values.ts';
import type { KindDeclarations } from '../attributes/declaration.ts';
import { declareAttributes } from '../attributes/declare.ts';
import { defineKind, type Kind, type KindDefinition } from '../kind.ts';
import { displayNameVersion, findDisplayNameFault, mapDisplayName } from './display-name.ts';
import { Group, GroupDocument, GroupInput, maxDisplayNameLength, maxGroupBytes } from './group.ts';

const definition: KindDefinition<GroupDocument, GroupInput> = {
  name: 'group',
  schema: GroupDocument,
  shown: Group,
  input: GroupInput,
  readOnly: Object.keys(Group.properties).filter((name) => !(name in GroupInput.properties)),
  maxBytes: maxGroupBytes,
  unique: {
    member: 'displayName',
    map: mapDisplayName,
    version: displayNameVersion,
    taken: 'display-name-taken',
    findFault: (name) =>
      [...mapDisplayName(name)].length > maxDisplayNameLength
        ? `must have at most ${maxDisplayNameLength} characters in lower case`
        : findDisplayNameFault(name),
  },
  membership: noMembers,
  members: 'user',
  filters: {
    displayName: { keys: (group) => [mapDisplayName(group.displayName)], key: mapDisplayName },
    externalId: { keys: (group) => oneKey(group.externalId), key: asIs },
    /** The groups of the user with this id. */
    [byMember]: {
      key: canonicalUuid,
      must: "be a user's id: GET /users?userName=… has it",
      pattern: anyCaseUuidPattern,
      description: 'Only groups to which the user with this id belongs.',
    },
  },
};

export const groupKind = defineKind(definition);

export const groupKindWith = (declarations: KindDeclarations): Kind<GroupDocument, GroupInput> =>
  defineKind(declareAttributes(definition, declarations));
