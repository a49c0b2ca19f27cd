/** From what a client sent to a whole user: the schema, then the rules that no schema can say. */
import { DomainError, type Violation } from './errors.ts';
import { isDeepEqual, isObject } from './plain-values.ts';
import { StoredUser } from './stored-user.ts';
import { maxUserBytes, maxUserNameLength, User, UserInput } from './user.ts';
import { mapUserName, prohibited } from './user-name.ts';
import { canonicalUuid } from './uuid.ts';
import { tidy, validator } from './validation.ts';

const validate = validator(UserInput);
const utf8 = new TextEncoder();
const membersInOrder = Object.keys(User.properties);

/** `meta` is read-only and ignored; an id may come in either case of letters. */
function withoutMeta(input: unknown): unknown {
  if (!isObject(input)) return input;
  const { meta: _readOnly, ...rest } = input;
  if (typeof rest.id !== 'string') return rest;
  return { ...rest, id: canonicalUuid(rest.id) ?? rest.id };
}

function userNameViolations(input: unknown): Violation[] {
  const name = isObject(input) ? input.userName : undefined;
  if (typeof name !== 'string') return [];
  const reason = prohibited(name);
  if (reason !== undefined) return [{ pointer: '/userName', detail: reason }];
  const mapped = [...mapUserName(name)].length;
  return mapped > maxUserNameLength
    ? [{ pointer: '/userName', detail: `must have at most ${maxUserNameLength} characters as mapped` }]
    : [];
}

/** What stands already is not judged again unless it changes: rules may have grown stricter since. */
const changed = (input: unknown, stored: User | undefined) => (violation: Violation) => {
  const member = violation.pointer.split('/')[1];
  if (stored === undefined || member === undefined || !isObject(input)) return true;
  return !Object.hasOwn(stored, member) || !isDeepEqual(input[member], Reflect.get(stored, member));
};

/**
 * @param stored the user in whose place the input goes, if any
 * @throws DomainError `invalid-user`, with up to 20 violations
 */
export function readInput(input: unknown, stored?: User): UserInput {
  const given = withoutMeta(input);
  const { value, violations, dropped } = validate(given);
  const isNew = changed(value, stored);
  const wrong = [
    ...violations,
    ...(violations.some(({ pointer }) => pointer === '/userName') ? [] : userNameViolations(value)),
  ].filter((violation) => dropped.has(violation) || isNew(violation));
  if (wrong.length > 0) throw invalid(wrong);
  return value as UserInput;
}

/**
 * What can be said of a partial user before the whole is known: unknown members are refused even where the patch
 * would only remove them. Returns the patch without `meta`.
 * @throws DomainError `invalid-user`
 */
export function checkPatch(patch: unknown): Readonly<Record<string, unknown>> {
  const given = withoutMeta(patch);
  if (!isObject(given)) throw invalid([{ pointer: '', detail: 'must be an object' }]);
  const { violations } = tidy(UserInput, given);
  if (violations.length > 0) throw invalid(violations);
  return given;
}

/** @param input the whole that an edit made of `stored` @throws DomainError `invalid-user` */
export function readEdited(input: unknown, stored: User): UserInput {
  sameId(input, stored.id);
  return readInput(input, stored);
}

/** Members in the schema's order; printed once, here. @throws DomainError `invalid-user` when the whole is larger than maxUserBytes */
export function wholeUser(id: string, input: UserInput, active: boolean, meta: User['meta']): StoredUser {
  const all: Record<string, unknown> = { ...input, id, active: input.active ?? active, meta };
  const user: Record<string, unknown> = {};
  for (const member of membersInOrder) if (member in all) user[member] = all[member];
  const whole = StoredUser.of(user as User);
  const bytes = utf8.encode(whole.text).length;
  if (bytes <= maxUserBytes) return whole;
  const detail = `is ${bytes} bytes as JSON; a user has at most ${maxUserBytes}`;
  throw invalid([{ pointer: '', detail }]);
}

/** @throws DomainError `invalid-user` when the body names another user than the URL does */
export function sameId(input: unknown, id: string): void {
  const given = withoutMeta(input);
  if (!isObject(given) || given.id === undefined || given.id === null || given.id === id) return;
  throw invalid([{ pointer: '/id', detail: 'must be the id in the URL' }]);
}

export const invalid = (violations: readonly Violation[]): DomainError =>
  new DomainError('invalid-user', 'The user breaks the rules named in errors; nothing was changed.', {
    violations,
  });
