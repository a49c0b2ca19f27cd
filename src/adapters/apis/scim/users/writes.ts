/** The three writes of a user that requests and the operations of a Bulk share. */
import { isDeepStrictEqual } from 'node:util';
import { isCode } from '../../../../domain/base/errors.ts';
import { isObject } from '../../../../domain/base/plain-values.ts';
import type { Principal } from '../../../../domain/ports.ts';
import type { StoredUser } from '../../../../domain/user/stored-user.ts';
import { type Precondition, type Users, unchanged } from '../../../../domain/users.ts';
import { Slices } from '../../../scheduler/event-loop.ts';
import { applyPatch } from '../patch/apply-patch.ts';
import { readPatch } from '../patch/read-patch.ts';
import { findAttribute, findSchema, ownUrn } from '../resource/attributes.ts';
import { readResource } from '../resource/read-resource.ts';
import { toInput, toResource } from '../resource/resource.ts';

export interface UserWrite {
  readonly users: Users;
  readonly principal: Principal;
  /** Of the user that is written. */
  readonly id: string;
  /** What was sent. */
  readonly body: unknown;
  /** Decided at the instant of the write. */
  readonly lock: Precondition | undefined;
}

/** @param id of the user's own, where it has to be known beforehand @throws ScimError; DomainError as `Users.create` */
export async function createFrom(
  { users, principal, body }: Pick<UserWrite, 'users' | 'principal' | 'body'>,
  { id, condition }: { readonly id?: string; readonly condition?: () => void } = {},
): Promise<StoredUser> {
  const input = toInput(readResource(body, { isNew: true }));
  return users.create(principal, id === undefined ? input : { ...input, id }, condition);
}

/** True also where it says that there is nothing: by an empty object, or in `schemas` alone. */
function namesOwn(body: unknown): boolean {
  if (!isObject(body)) return false;
  const { schemas } = body;
  const named = [...Object.keys(body), ...(Array.isArray(schemas) ? schemas.map(String) : [])];
  return named.some((name) => (findSchema(name)?.id ?? findAttribute(name)?.extension) === ownUrn);
}

/**
 * What the body says nothing of is removed, but for what an installation adds: no identity provider knows of it, and each
 * PUT of one would wipe it. RFC 7644 §3.5.1 leaves that to the service.
 * @throws ScimError; DomainError as `Users.replace`
 */
export async function replaceFrom({ users, principal, id, body, lock }: UserWrite): Promise<StoredUser> {
  const input = toInput(readResource(body));
  if (namesOwn(body)) return users.replace(principal, id, input, lock);
  try {
    return await users.change(
      principal,
      id,
      ({ attributes, active }) => ({ attributes, active, ...input }),
      lock,
    );
  } catch (error) {
    // Of a damaged user nothing can be kept.
    if (!isCode(error, 'damaged-user')) throw error;
    return users.replace(principal, id, input, lock);
  }
}

/**
 * All operations or none (RFC 7644 §3.5.2). Where they leave the user as it is, nothing is written: §3.5.2.1 has the date of the last change
 * stay.
 * @throws ScimError; DomainError as `Users.change` */
export async function patchFrom({ users, principal, id, body, lock }: UserWrite): Promise<StoredUser> {
  const slices = new Slices(principal.id);
  const operations = await slices.run(readPatch(body));
  const edit: Parameters<Users['change']>[2] = async (user) => {
    const resource = toResource(user, (one) => one);
    const input = toInput(await slices.run(applyPatch(resource, operations)));
    return isDeepStrictEqual(input, toInput(resource)) ? unchanged : input;
  };
  return users.change(principal, id, edit, lock);
}
