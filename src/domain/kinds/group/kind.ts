/**
 * Groups, as a kind of resource: the one schema from which type, validation, both formats and the published contracts are derived. Documents don't
 * name members: the store keeps memberships beside them, and ends them when a user or a group is deleted (store.ts). Lengths count code points.
 *
 * `display-name.ts` has the mapping of the unique name. `use-cases/groups.ts` adds and removes members.
 */
import * as Type from 'typebox';
import { asIs, oneKey } from '../../find/filters.ts';
import { byMember } from '../../find/owners.ts';
import { called, text, words } from '../../resource/annotations.ts';
import { idType, Meta } from '../../resource/resource.ts';
import { noMembers } from '../../resource/stored.ts';
import { anyCaseUuidPattern, canonicalUuid } from '../../validation/plain-values.ts';
import type { KindDeclarations } from '../attributes/declaration.ts';
import { declareAttributes } from '../attributes/declare.ts';
import { textAttributes } from '../attributes/schema.ts';
import { defineKind, type Kind, type KindDefinition } from '../kind.ts';
import { displayNameVersion, findDisplayNameFault, mapDisplayName } from './display-name.ts';

/** Limits the name as sent and as mapped. In code points. */
const maxDisplayNameLength = 256;

/** Members that a client may set. */
const writable = {
  displayName: text(
    maxDisplayNameLength,
    'The name of the group. Unique, whatever the case of its letters; without characters that show nothing (controls and line breaks among them), spaces at its ends, and spaces of another kind beside a space.',
    {
      ...{ ...words, sort: 'displayName', scim: { uniqueness: 'server' } },
      ...called('Group name, Group', 'Gruppenname, Gruppe'),
    },
  ),
  externalId: Type.Optional(
    text(255, "The client's own key; need not be unique.", { ...words, scim: { caseExact: true } }),
  ),
  description: Type.Optional(
    text(1024, 'The purpose of the group.', { ...words, ...called('Description', 'Beschreibung') }),
  ),
  attributes: textAttributes({ since: '1.13' }),
};

const id = idType("A UUID: the service's, or the client's own in a POST. It never changes.");

/** A group as it is shown: members in the order in which every format prints them. */
export const Group = Type.Object(
  {
    id,
    ...writable,
    memberCount: Type.Integer({
      minimum: 0,
      readOnly: true,
      description: 'The number of members. Read-only: ignored in what a client sends.',
    }),
    meta: Meta,
  },
  { additionalProperties: false, description: 'A group, as the service shows it.' },
);
export type Group = Type.Static<typeof Group>;

/** A group as it is stored. */
export const GroupDocument = Type.Object({ id, ...writable, meta: Meta }, { additionalProperties: false });
export type GroupDocument = Type.Static<typeof GroupDocument>;

/** The body of a POST or PUT, and the result of a PATCH. */
export const GroupInput = Type.Object(
  { id: Type.Optional(id), ...writable },
  { additionalProperties: false },
);
export type GroupInput = Type.Static<typeof GroupInput>;

/** In bytes: the maximum size of a whole group as canonical JSON in UTF-8. */
export const maxGroupBytes = 16 * 1024;

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
