/** Makes a whole group from a client's input. */
import { builder } from '../resource/build.ts';
import { noMembers } from '../resource/stored.ts';
import { findDisplayNameFault, mapDisplayName } from './display-name.ts';
import { Group, GroupDocument, GroupInput, maxDisplayNameLength, maxGroupBytes } from './group.ts';

export const groupBuilder = builder<GroupDocument, GroupInput>({
  name: 'group',
  schema: GroupDocument,
  input: GroupInput,
  readOnly: Object.keys(Group.properties).filter((name) => !(name in GroupInput.properties)),
  maxBytes: maxGroupBytes,
  unique: {
    member: 'displayName',
    findFault: (name) =>
      [...mapDisplayName(name)].length > maxDisplayNameLength
        ? `must have at most ${maxDisplayNameLength} characters in lower case`
        : findDisplayNameFault(name),
  },
  membership: noMembers,
});
