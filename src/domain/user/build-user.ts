/** Makes a whole user from a client's input. */
import { builder } from '../resource/build.ts';
import type { Stored } from '../resource/stored.ts';
import { findScriptUris } from './script-uris.ts';
import { maxUserBytes, maxUserNameLength, User, UserInput } from './user.ts';
import { findUserNameFault, mapUserName } from './user-name.ts';

function findFault(name: string): string | undefined {
  const reason = findUserNameFault(name);
  if (reason !== undefined) return reason;
  return [...mapUserName(name)].length > maxUserNameLength
    ? `must have at most ${maxUserNameLength} characters as mapped`
    : undefined;
}

/** A new user is active. One that can't be read becomes inactive: replacing it must not let the person in. */
function activeOf(current: Stored<User> | undefined): boolean {
  if (current === undefined) return true;
  try {
    return current.value.active === true;
  } catch {
    return false;
  }
}

export const userBuilder = builder<User, UserInput>({
  name: 'user',
  schema: User,
  input: UserInput,
  readOnly: ['meta'],
  maxBytes: maxUserBytes,
  unique: { member: 'userName', findFault },
  findFaults: findScriptUris,
  inherit: (current) => ({ active: activeOf(current) }),
});

export const { readInput, checkPatch } = userBuilder;
