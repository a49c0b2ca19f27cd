/** Makes a whole user from a client's input: the schema first, then the rules that a schema can't express. */
import { DomainError, type Violation } from '../base/errors.ts';
import { isDeepEqual, isObject } from '../base/plain-values.ts';
import { normalize, validator } from '../base/schema-validator.ts';
import { canonicalUuid } from '../base/uuid.ts';
import { StoredUser } from './stored-user.ts';
import { maxUserBytes, maxUserNameLength, User, UserInput } from './user.ts';
import { findUserNameFault, mapUserName } from './user-name.ts';

const validate = validator(UserInput);
const utf8 = new TextEncoder();
const membersInOrder = Object.keys(User.properties);

/** `meta` is read-only and ignored; an id may come in either case of letters. */
function omitMeta(input: unknown): unknown {
  if (!isObject(input)) return input;
  const { meta: _readOnly, ...rest } = input;
  if (typeof rest.id !== 'string') return rest;
  return { ...rest, id: canonicalUuid(rest.id) ?? rest.id };
}

function userNameViolations(input: unknown): Violation[] {
  const name = isObject(input) ? input.userName : undefined;
  if (typeof name !== 'string') return [];
  const reason = findUserNameFault(name);
  if (reason !== undefined) return [{ pointer: '/userName', detail: reason }];
  const mapped = [...mapUserName(name)].length;
  return mapped > maxUserNameLength
    ? [{ pointer: '/userName', detail: `must have at most ${maxUserNameLength} characters as mapped` }]
    : [];
}

/** An unchanged stored member need not pass the current rules, which may be stricter than those it was stored by. */
const concernsChange = (input: unknown, stored: User | undefined) => (violation: Violation) => {
  const member = violation.pointer.split('/')[1];
  if (stored === undefined || member === undefined || !isObject(input)) return true;
  return !Object.hasOwn(stored, member) || !isDeepEqual(input[member], Reflect.get(stored, member));
};

/**
 * @param stored the user that the input replaces, if any
 * @throws DomainError `invalid-user`, with up to 20 violations
 */
export function readInput(input: unknown, stored?: User): UserInput {
  const given = omitMeta(input);
  const { value, violations, dropped } = validate(given);
  const isNew = concernsChange(value, stored);
  const wrong = [
    ...violations,
    ...(violations.some(({ pointer }) => pointer === '/userName') ? [] : userNameViolations(value)),
  ].filter((violation) => dropped.has(violation) || isNew(violation));
  if (wrong.length > 0) throw invalidUser(wrong);
  return value as UserInput;
}

/**
 * Finds the violations that don't depend on the stored user: unknown members are refused even where the patch would only remove
 * them. Returns the patch without `meta`.
 * @throws DomainError `invalid-user`
 */
export function checkPatch(patch: unknown): Readonly<Record<string, unknown>> {
  const given = omitMeta(patch);
  if (!isObject(given)) throw invalidUser([{ pointer: '', detail: 'must be an object' }]);
  const { violations } = normalize(UserInput, given);
  if (violations.length > 0) throw invalidUser(violations);
  return given;
}

/** @param input the result of an edit of `stored` @throws DomainError `invalid-user` */
export function readEdited(input: unknown, stored: User): UserInput {
  assertSameId(input, stored.id);
  return readInput(input, stored);
}

/** Members in the schema's order; printed once, here. */
export function printUser(id: string, input: UserInput, active: boolean, meta: User['meta']): StoredUser {
  const all: Record<string, unknown> = { ...input, id, active: input.active ?? active, meta };
  const user: Record<string, unknown> = {};
  for (const member of membersInOrder) if (member in all) user[member] = all[member];
  return StoredUser.of(user as User);
}

/** As `printUser`. @throws DomainError `invalid-user` when the whole is larger than maxUserBytes */
export function assembleUser(id: string, input: UserInput, active: boolean, meta: User['meta']): StoredUser {
  const whole = printUser(id, input, active, meta);
  const bytes = utf8.encode(whole.text).length;
  if (bytes <= maxUserBytes) return whole;
  const detail = `is ${bytes} bytes as JSON; a user has at most ${maxUserBytes}`;
  throw invalidUser([{ pointer: '', detail }]);
}

/** @throws DomainError `invalid-user` when the body names another user than the URL does */
export function assertSameId(input: unknown, id: string): void {
  const given = omitMeta(input);
  if (!isObject(given) || given.id === undefined || given.id === null || given.id === id) return;
  throw invalidUser([{ pointer: '/id', detail: 'must be the id in the URL' }]);
}

export const invalidUser = (violations: readonly Violation[]): DomainError =>
  new DomainError('invalid-user', 'The user breaks the rules named in errors; nothing was changed.', {
    violations,
  });
