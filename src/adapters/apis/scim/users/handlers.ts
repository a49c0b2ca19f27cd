/**
 * The handlers of one user: POST /Users, and GET, PUT, PATCH and DELETE of /Users/{id}.
 *
 * A write has these steps, and fails at the first error:
 *
 * 1. The URL: which attributes the response shows (`list/parameters.ts`).
 * 2. The body as a plain value (`base/messages.ts`).
 * 3. The lock: If-Match and similar fields become a condition that the store checks at the time of the write.
 * 4. The write (`writes.ts`): the value becomes a user, or a PATCH is applied to the stored user; the domain's use case validates and
 *    stores it. A Bulk shares this step.
 * 5. The response: the requested attributes of the user as a resource, with `ETag`, `Last-Modified` and, for a new user, `Location`.
 *
 * A read has steps 1 and 5; a DELETE has 3 and 4.
 */

import { resourceChanged, resourceNotFound } from '../../../../domain/base/errors.ts';
import { canonicalUuid } from '../../../../domain/base/uuid.ts';
import type { User } from '../../../../domain/kinds/user/user.ts';
import type { Stored } from '../../../../domain/resource/stored.ts';
import {
  creationCondition,
  findHeldTag,
  isFresh,
  lastModifiedOf,
  preconditionOfRead,
} from '../../../http/core/conditional.ts';
import { assertPresent, type Context } from '../../../http/core/context.ts';
import { respond } from '../../../http/core/respond.ts';
import { readMessage, sendDocument } from '../base/messages.ts';
import { locationOf, lockOf, principalOf, resourceOf, type ScimService, tagOf } from '../base/service.ts';
import { projectionOf, readAddress } from '../list/parameters.ts';
import type { Projection } from '../list/projection.ts';
import { createFrom, patchFrom, replaceFrom } from './writes.ts';

/** @throws DomainError `user-not-found` for a path without a UUID, which can't be a user's id */
function idOf(ctx: Context): string {
  const id = canonicalUuid(String(ctx.params.id));
  if (id === undefined) throw resourceNotFound('user');
  return id;
}

const validatorsOf = (ctx: Context, user: Stored<User>): string[] => [
  'Last-Modified',
  user.read(() => lastModifiedOf(user.meta, Date.now())),
  'ETag',
  tagOf(user, assertPresent(ctx.state.choice)),
];

interface Shown {
  readonly status: 200 | 201;
  readonly fields: readonly string[];
  readonly project: Projection;
}

function sendUser(
  ctx: Context,
  service: ScimService,
  user: Stored<User>,
  { status, fields, project }: Shown,
) {
  const content = JSON.stringify(project(resourceOf(service, user, assertPresent(ctx.state.choice))));
  return sendDocument(ctx, {
    status,
    content,
    fields: [...fields, ...validatorsOf(ctx, user)],
    isTagged: true,
  });
}

const notStored = ['Cache-Control', 'no-store'] as const;

export async function readUser(ctx: Context, service: ScimService): Promise<void> {
  const project = projectionOf(readAddress(ctx.querystring));
  const user = await service.users.read(principalOf(ctx), idOf(ctx));
  const { headers } = ctx.req;
  if (preconditionOfRead(headers)?.(user) === false) throw resourceChanged('user');
  const tag = tagOf(user, assertPresent(ctx.state.choice));
  const fields = ['Cache-Control', service.cacheControl];
  if (findHeldTag(headers, tag, () => ['identity']) === undefined && !isFresh(headers, user.meta))
    return sendUser(ctx, service, user, { status: 200, fields, project });
  return respond(ctx, { status: 304, fields: [...fields, ...validatorsOf(ctx, user)] });
}

export async function createUser(ctx: Context, service: ScimService): Promise<void> {
  const project = projectionOf(readAddress(ctx.querystring));
  const body = await readMessage(ctx);
  const condition = creationCondition(ctx.headers);
  const user = await createFrom({ users: service.users, principal: principalOf(ctx), body }, { condition });
  const fields = ['Location', locationOf(service, user.id), ...notStored];
  return sendUser(ctx, service, user, { status: 201, fields, project });
}

const updateHandler =
  (update: typeof replaceFrom) =>
  async (ctx: Context, service: ScimService): Promise<void> => {
    const project = projectionOf(readAddress(ctx.querystring));
    const body = await readMessage(ctx);
    const lock = lockOf(ctx.headers, service);
    const user = await update({
      users: service.users,
      principal: principalOf(ctx),
      id: idOf(ctx),
      body,
      lock,
    });
    return sendUser(ctx, service, user, { status: 200, fields: notStored, project });
  };

export const replaceUser = updateHandler(replaceFrom);
export const patchUser = updateHandler(patchFrom);

export async function removeUser(ctx: Context, service: ScimService): Promise<void> {
  const lock = lockOf(ctx.headers, service);
  await service.users.remove(principalOf(ctx), idOf(ctx), lock);
  return respond(ctx, { status: 204, fields: notStored });
}
