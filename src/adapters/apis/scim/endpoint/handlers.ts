/**
 * The handlers of one resource: POST /Users, and GET, PUT, PATCH and DELETE of /Users/{id}, and the same for each resource type.
 *
 * A write has these steps, and fails at the first error:
 *
 * 1. The URL: which attributes the response shows (`list/parameters.ts`).
 * 2. The body as a plain value (`base/messages.ts`).
 * 3. The lock: If-Match and similar fields become a condition that the store checks at the time of the write.
 * 4. The write (`writes.ts`): the value becomes the domain's input, or a PATCH is applied to what is stored; the domain's use case
 *    validates and stores it. A Bulk shares this step.
 * 5. The response: the requested attributes of the resource, with `ETag`, `Last-Modified` and, for a new one, `Location`.
 *
 * A read has steps 1 and 5; a DELETE has 3 and 4.
 */

import { resourceChanged, resourceNotFound } from '../../../../domain/base/errors.ts';
import { canonicalUuid } from '../../../../domain/base/uuid.ts';
import type { Resource } from '../../../../domain/resource/resource.ts';
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
import { type Endpoint, locationOf, lockOf, principalOf, resourceOf, tagOf } from '../base/service.ts';
import { projectionOf, readAddress } from '../list/parameters.ts';
import type { Projection } from '../list/projection.ts';
import { createFrom, patchFrom, replaceFrom } from './writes.ts';

/** @throws DomainError `…-not-found` for a path without a UUID, which can't be an id */
function idOf(ctx: Context, { type }: Endpoint): string {
  const id = canonicalUuid(String(ctx.params.id));
  if (id === undefined) throw resourceNotFound(type.kind.name);
  return id;
}

const validatorsOf = (ctx: Context, stored: Stored<Resource>): string[] => [
  'Last-Modified',
  stored.read(() => lastModifiedOf(stored.meta, Date.now())),
  'ETag',
  tagOf(stored, assertPresent(ctx.state.choice)),
];

interface Shown {
  readonly status: 200 | 201;
  readonly fields: readonly string[];
  readonly project: Projection;
}

function sendResource(
  ctx: Context,
  endpoint: Endpoint,
  stored: Stored<Resource>,
  { status, fields, project }: Shown,
) {
  const content = JSON.stringify(project(resourceOf(endpoint, stored, assertPresent(ctx.state.choice))));
  return sendDocument(ctx, {
    status,
    content,
    fields: [...fields, ...validatorsOf(ctx, stored)],
    isTagged: true,
  });
}

const notStored = ['Cache-Control', 'no-store'] as const;

export async function readResource(ctx: Context, endpoint: Endpoint): Promise<void> {
  const { type, service, resources } = endpoint;
  const project = projectionOf(type, readAddress(ctx.querystring));
  const stored = await resources.read(principalOf(ctx), idOf(ctx, endpoint));
  const { headers } = ctx.req;
  if (preconditionOfRead(headers)?.(stored) === false) throw resourceChanged(type.kind.name);
  const tag = tagOf(stored, assertPresent(ctx.state.choice));
  const fields = ['Cache-Control', service.cacheControl];
  if (findHeldTag(headers, tag, () => ['identity']) === undefined && !isFresh(headers, stored.meta))
    return sendResource(ctx, endpoint, stored, { status: 200, fields, project });
  return respond(ctx, { status: 304, fields: [...fields, ...validatorsOf(ctx, stored)] });
}

export async function createResource(ctx: Context, endpoint: Endpoint): Promise<void> {
  const project = projectionOf(endpoint.type, readAddress(ctx.querystring));
  const body = await readMessage(ctx);
  const condition = creationCondition(ctx.headers);
  const stored = await createFrom(endpoint, { principal: principalOf(ctx), body, condition });
  const fields = ['Location', locationOf(endpoint, stored.id), ...notStored];
  return sendResource(ctx, endpoint, stored, { status: 201, fields, project });
}

const updateHandler =
  (update: typeof replaceFrom) =>
  async (ctx: Context, endpoint: Endpoint): Promise<void> => {
    const project = projectionOf(endpoint.type, readAddress(ctx.querystring));
    const body = await readMessage(ctx);
    const lock = lockOf(ctx.headers, endpoint.service);
    const id = idOf(ctx, endpoint);
    const stored = await update(endpoint, { principal: principalOf(ctx), id, body, lock });
    return sendResource(ctx, endpoint, stored, { status: 200, fields: notStored, project });
  };

export const replaceResource = updateHandler(replaceFrom);
export const patchResource = updateHandler(patchFrom);

export async function removeResource(ctx: Context, endpoint: Endpoint): Promise<void> {
  const lock = lockOf(ctx.headers, endpoint.service);
  await endpoint.resources.remove(principalOf(ctx), idOf(ctx, endpoint), lock);
  return respond(ctx, { status: 204, fields: notStored });
}
