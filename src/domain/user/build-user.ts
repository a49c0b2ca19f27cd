/** Makes a whole user from a client's input. */
import { builder } from '../resource/build.ts';
import { findScriptUris } from './script-uris.ts';
import { StoredUser } from './stored-user.ts';
import { maxUserBytes, maxUserNameLength, User, UserInput } from './user.ts';
import { findUserNameFault, mapUserName } from './user-name.ts';

function findFault(name: string): string | undefined {
  const reason = findUserNameFault(name);
  if (reason !== undefined) return reason;
  return [...mapUserName(name)].length > maxUserNameLength
    ? `must have at most ${maxUserNameLength} characters as mapped`
    : undefined;
}

/** A new user is active. A damaged user whose `active` is unreadable becomes inactive: replacing it must not let the person in. */
function activeOf(current: StoredUser | undefined): boolean {
  if (current === undefined) return true;
  return current.isDamaged ? current.remains.active === true : current.user.active;
}

export const userBuilder = builder<User, UserInput, StoredUser>({
  name: 'user',
  schema: User,
  input: UserInput,
  readOnly: ['meta'],
  maxBytes: maxUserBytes,
  unique: { member: 'userName', findFault },
  findFaults: findScriptUris,
  inherit: (current) => ({ active: activeOf(current) }),
  of: (user) => StoredUser.of(user),
});

export const { readInput, checkPatch } = userBuilder;
