/**
 * The handlers of one resource: POST /Users, and GET, PUT, PATCH and DELETE of /Users/{id}, and the same for each resource type.
 *
 * A write has these steps, and fails at the first error:
 *
 * 1. The URL: which attributes the response shows (`list/parameters.ts`).
 * 2. The body as a plain value (`protocol/messages.ts`).
 * 3. The lock: If-Match and similar fields become a condition that the store checks at the time of the write.
 * 4. The write (`writes.ts`): the value becomes the domain's input, or a PATCH is applied to what is stored; the domain's use case
 *    validates and stores it. A Bulk shares this step.
 * 5. The response: the requested attributes of the resource, with `ETag`, `Last-Modified` and, for a new one, `Location`.
 *
 * A read has steps 1 and 5; a DELETE has 3 and 4.
 */

import type { IncomingHttpHeaders } from 'node:http';
import type { Resource } from '../../../../domain/resource/resource.ts';
import { Stored } from '../../../../domain/resource/stored.ts';
import { resourceChanged } from '../../../../domain/validation/errors.ts';
import {
  creationCondition,
  findHeldTag,
  isFresh,
  preconditionOfRead,
} from '../../../http/pipeline/conditional.ts';
import { assertPresent, type Context, clientOf } from '../../../http/pipeline/context.ts';
import { eraseOf } from '../../../http/pipeline/query.ts';
import { respond } from '../../../http/pipeline/respond.ts';
import { idInPath } from '../../resources/handlers.ts';
import { conditionsOn, lastModifiedField } from '../../resources/validators.ts';
import { projectionOf, readAddress } from '../list/parameters.ts';
import { messageCodec, sendDocument, withMessage } from '../protocol/messages.ts';
import { authorizeRelation, readRelated } from '../protocol/related.ts';
import {
  type Endpoint,
  isVersioned,
  locationOf,
  lockOf,
  principalOf,
  resourceOf,
  stateOf,
  tagOf,
} from '../protocol/service.ts';
import type { Projection } from '../resource/projection.ts';
import { createFrom, patchFrom, replaceFrom } from './writes.ts';

const validatorsOf = (ctx: Context, endpoint: Endpoint, stored: Stored<Resource>): string[] => [
  ...lastModifiedField(endpoint.type.kind, stored),
  'ETag',
  tagOf(endpoint, stored, assertPresent(ctx.state.choice)),
];

interface Shown {
  readonly status: 200 | 201;
  readonly fields: readonly string[];
  readonly view: View;
  /** The response to a write. */
  readonly isWritten: boolean;
}

/** The parts of a resource that a response shows. */
interface View {
  readonly projection: Projection;
  readonly hasRelation: boolean;
  /** True if the version covers everything that is shown. */
  readonly hasValidators: boolean;
}

/** @throws ScimError; DomainError `insufficient-scope` */
function viewOf(ctx: Context, endpoint: Endpoint): View {
  const projection = projectionOf(endpoint.type, readAddress(ctx));
  const hasRelation = authorizeRelation(endpoint, principalOf(ctx), projection);
  return { projection, hasRelation, hasValidators: !hasRelation || isVersioned(endpoint) };
}

async function sendResource(
  ctx: Context,
  endpoint: Endpoint,
  stored: Stored<Resource>,
  { status, fields, view, isWritten }: Shown,
) {
  const { projection, hasRelation, hasValidators } = view;
  const choice = hasValidators ? assertPresent(ctx.state.choice) : undefined;
  const send = (one: Stored<Resource>, resource = resourceOf(endpoint, one, choice)) =>
    sendDocument(ctx, {
      status,
      content: JSON.stringify(projection.project(resource)),
      fields: hasValidators ? [...fields, ...validatorsOf(ctx, endpoint, one)] : fields,
      isTagged: hasValidators,
    });
  if (!hasRelation) return send(stored);
  // Takes a client's place for lists, since the response may be as long as a list.
  return assertPresent(ctx.state.load).responses.listSlots.run(clientOf(ctx), async () => {
    if (ctx.res.closed) return;
    const resource = resourceOf(endpoint, stored, choice);
    const read = async () =>
      await (await readRelated(endpoint, principalOf(ctx), [stored]))(stored, resource);
    const whole = await (isWritten ? read().catch((error) => reportUnread(ctx, error)) : read());
    // Without the state of the members: a tag with it would make this copy pass for one that shows them.
    await (whole === undefined ? send(new Stored(stored.text)) : send(stored, whole.resource));
  });
}

/** The write is done, even if the values for the response can't be read. */
function reportUnread(ctx: Context, error: unknown): undefined {
  ctx.app.emit('error', error, ctx);
}

const notStored = ['Cache-Control', 'no-store'] as const;

export async function readResource(ctx: Context, endpoint: Endpoint): Promise<void> {
  const { type, service, resources } = endpoint;
  const view = viewOf(ctx, endpoint);
  if (view.hasRelation) assertPresent(ctx.state.load).responses.admitList();
  const stored = await resources.read(principalOf(ctx), idInPath(ctx, type.kind.name));
  const headers = conditionsOn(type.kind, ctx.req.headers);
  if (preconditionOfRead(headers, stateOf(endpoint))?.(stored) === false)
    throw resourceChanged(type.kind.name);
  const fields = ['Cache-Control', service.cacheControl(view.hasRelation)];
  if (!view.hasValidators || !isHeld(ctx, endpoint, headers, stored))
    return sendResource(ctx, endpoint, stored, { status: 200, fields, view, isWritten: false });
  return respond(ctx, { status: 304, fields: [...fields, ...validatorsOf(ctx, endpoint, stored)] });
}

/** The client has a fresh copy. @throws HttpProblem 400 */
function isHeld(
  ctx: Context,
  endpoint: Endpoint,
  headers: IncomingHttpHeaders,
  stored: Stored<Resource>,
): boolean {
  const tag = tagOf(endpoint, stored, assertPresent(ctx.state.choice));
  // A change of the profile has no date.
  const dated = endpoint.service.access === undefined ? stored.meta : undefined;
  return findHeldTag(headers, tag, () => ['identity']) !== undefined || isFresh(headers, dated);
}

/** 10,000 operations that each add a member, with all its sub-attributes, take 90,000 values. */
const codecOfMany = messageCodec(100_000);

const withBody = (ctx: Context, { type }: Endpoint, use: (body: unknown) => Promise<void>): Promise<void> =>
  withMessage(ctx, use, type.maxBodyBytes === undefined ? undefined : codecOfMany);

export async function createResource(ctx: Context, endpoint: Endpoint): Promise<void> {
  const view = viewOf(ctx, endpoint);
  return withBody(ctx, endpoint, async (body) => {
    const condition = creationCondition(ctx.headers);
    const stored = await createFrom(endpoint, { principal: principalOf(ctx), body, condition });
    const fields = ['Location', locationOf(endpoint, stored.id), ...notStored];
    return sendResource(ctx, endpoint, stored, { status: 201, fields, view, isWritten: true });
  });
}

const updateHandler =
  (update: typeof replaceFrom) =>
  async (ctx: Context, endpoint: Endpoint): Promise<void> => {
    const view = viewOf(ctx, endpoint);
    return withBody(ctx, endpoint, async (body) => {
      const lock = lockOf(ctx.headers, endpoint);
      const id = idInPath(ctx, endpoint.type.kind.name);
      const stored = await update(endpoint, { principal: principalOf(ctx), id, body, lock });
      // RFC 7644 §3.5.2; Entra ID expects it for groups. The response has no tag: without a body, it might hide changes of members by others.
      if (update === patchFrom && view.projection.isWhole && isBrief(endpoint))
        return respond(ctx, { status: 204, fields: notStored });
      return sendResource(ctx, endpoint, stored, { status: 200, fields: notStored, view, isWritten: true });
    });
  };

/** A PATCH is answered without the resource, unless parameters ask for some of it. */
const isBrief = ({ type: { relation } }: Endpoint): boolean => relation?.isWritable === true;

export const replaceResource = updateHandler(replaceFrom);
export const patchResource = updateHandler(patchFrom);

export async function removeResource(ctx: Context, endpoint: Endpoint): Promise<void> {
  const lock = lockOf(ctx.headers, endpoint);
  await endpoint.resources.remove(
    principalOf(ctx),
    idInPath(ctx, endpoint.type.kind.name),
    lock,
    eraseOf(ctx.state.query),
  );
  return respond(ctx, { status: 204, fields: notStored });
}
