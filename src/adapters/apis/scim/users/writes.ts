/** The three writes of a user, shared by single requests and by the operations of a Bulk. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../../domain/base/plain-values.ts';
import type { User } from '../../../../domain/kinds/user/user.ts';
import type { Caller } from '../../../../domain/ports.ts';
import type { Stored } from '../../../../domain/resource/stored.ts';
import { type Precondition, unchanged } from '../../../../domain/resources.ts';
import type { Users } from '../../../../domain/users.ts';
import { Slices } from '../../../scheduler/event-loop.ts';
import { applyPatch } from '../patch/apply-patch.ts';
import { readPatch } from '../patch/read-patch.ts';
import { findAttribute, findSchema, ownUrn } from '../resource/attributes.ts';
import { readResource } from '../resource/read-resource.ts';
import { toInput, toResource } from '../resource/resource.ts';

export interface UserWrite {
  readonly users: Users;
  readonly principal: Caller;
  /** The id of the user to write. */
  readonly id: string;
  /** The body as sent. */
  readonly body: unknown;
  /** Evaluated at the time of the write. */
  readonly lock: Precondition | undefined;
}

/** @param id the user's id, if it must be known in advance @throws ScimError; DomainError as `Users.create` */
export async function createFrom(
  { users, principal, body }: Pick<UserWrite, 'users' | 'principal' | 'body'>,
  { id, condition }: { readonly id?: string; readonly condition?: () => void } = {},
): Promise<Stored<User>> {
  const input = toInput(readResource(body, { isNew: true }));
  return users.create(principal, id === undefined ? input : { ...input, id }, condition);
}

/** True if the body names custom attributes, also in an empty object or in `schemas` alone. */
function namesOwn(body: unknown): boolean {
  if (!isObject(body)) return false;
  const { schemas } = body;
  const named = [...Object.keys(body), ...(Array.isArray(schemas) ? schemas.map(String) : [])];
  return named.some((name) => (findSchema(name)?.id ?? findAttribute(name)?.extension) === ownUrn);
}

/**
 * Members missing from the body are removed, except `active` and custom attributes. Identity providers don't know the latter, so each PUT
 * would delete them. RFC 7644 §3.5.1 leaves this to the service.
 * @throws ScimError; DomainError as `Users.replace`
 */
export async function replaceFrom({ users, principal, id, body, lock }: UserWrite): Promise<Stored<User>> {
  const input = toInput(readResource(body));
  if (namesOwn(body)) return users.replace(principal, id, input, lock);
  return users.change(principal, id, ({ attributes, active }) => ({ attributes, active, ...input }), lock);
}

/**
 * Applies all operations or none (RFC 7644 §3.5.2). If they change nothing, nothing is written, since §3.5.2.1 requires that the
 * modification date stays.
 * @throws ScimError; DomainError as `Users.change`
 */
export async function patchFrom({ users, principal, id, body, lock }: UserWrite): Promise<Stored<User>> {
  const slices = new Slices(principal.id);
  const operations = await slices.run(readPatch(body));
  const edit: Parameters<Users['change']>[2] = async (user) => {
    const resource = toResource(user, (one) => one);
    const input = toInput(await slices.run(applyPatch(resource, operations)));
    return isDeepStrictEqual(input, toInput(resource)) ? unchanged : input;
  };
  return users.change(principal, id, edit, lock);
}
