/** The handlers for single resources: from a request to a use case and back. */

import { ReadInput } from '../../../domain/resource/build.ts';
import type { Resource } from '../../../domain/resource/resource.ts';
import type { Stored } from '../../../domain/resource/stored.ts';
import type { Precondition } from '../../../domain/use-cases/resource-writes.ts';
import { type KindName, resourceChanged, resourceNotFound } from '../../../domain/validation/errors.ts';
import { canonicalUuid } from '../../../domain/validation/plain-values.ts';
import { mediaTypeOf } from '../../http/headers/negotiation.ts';
import { acceptableCodings, codingFor } from '../../http/pipeline/codings.ts';
import {
  creationCondition,
  entityTag,
  findHeldTag,
  isFresh,
  preconditionOfRead,
  preconditionOfWrite,
  requireIfMatch,
  tagInCoding,
} from '../../http/pipeline/conditional.ts';
import { assertPresent, type Context } from '../../http/pipeline/context.ts';
import { eraseOf } from '../../http/pipeline/query.ts';
import { respond } from '../../http/pipeline/respond.ts';
import { HttpProblem } from '../../http/problems/problems.ts';
import { pathOf } from './definition.ts';
import { type ResourceService, readBodyBy } from './service.ts';
import { conditionsOn, countState, lastModifiedField, membersState } from './validators.ts';

/** @throws DomainError `…-not-found` for a path without a UUID, which can't be an id */
export function idInPath(ctx: Context, name: KindName, parameter = 'id'): string {
  const id = canonicalUuid(String(ctx.params[parameter]));
  if (id === undefined) throw resourceNotFound(name, false);
  return id;
}

/** Evaluated at the time of the write. @throws HttpProblem 400 */
const preconditionOf = ({ headers }: Context, service: ResourceService): Precondition | undefined =>
  preconditionOfWrite(conditionsOn(service.definition.kind, headers));

function tagOf(ctx: Context, stored: Stored<Resource>) {
  const { choice, principal } = ctx.state;
  const stateOf = principal?.access === undefined ? membersState : countState;
  return entityTag(stored.meta.version, assertPresent(choice), stateOf(stored), principal);
}

/** The unencoded content, its content coding, and its entity tag in that coding. */
function representationOf(ctx: Context, service: ResourceService, stored: Stored<Resource>) {
  const content = service.printer(assertPresent(ctx.state.choice).format).print(stored);
  const coding = codingFor(ctx, content.length);
  return { content, coding, tag: tagInCoding(tagOf(ctx, stored), coding) };
}

function sendResource(
  ctx: Context,
  service: ResourceService,
  stored: Stored<Resource>,
  status: number,
  fields: readonly string[],
) {
  const { content, coding, tag } = representationOf(ctx, service, stored);
  const { contentType } = assertPresent(mediaTypeOf(assertPresent(ctx.state.choice)));
  const all = [...fields, 'ETag', tag, 'Content-Type', contentType];
  return respond(ctx, { status, fields: all, content, coding });
}

export async function readResource(ctx: Context, service: ResourceService): Promise<void> {
  const { kind } = service.definition;
  const { name } = kind;
  const stored = await service.resources.read(assertPresent(ctx.state.principal), idInPath(ctx, name));
  const headers = conditionsOn(kind, ctx.req.headers);
  if (preconditionOfRead(headers)?.(stored) === false) throw resourceChanged(name);
  const held = findHeldTag(headers, tagOf(ctx, stored), () => acceptableCodings(ctx));
  const { control, byDate } = service.cachingFor(assertPresent(ctx.state.principal));
  const fields = ['Cache-Control', control, ...lastModifiedField(kind, stored)];
  if (held === undefined && !isFresh(headers, byDate ? stored.meta : undefined))
    return sendResource(ctx, service, stored, 200, fields);
  const tag = held ?? representationOf(ctx, service, stored).tag;
  return respond(ctx, { status: 304, fields: [...fields, 'ETag', tag] });
}

async function readInput(ctx: Context, service: ResourceService): Promise<ReadInput> {
  const { contract } = assertPresent(ctx.state.principal);
  return new ReadInput(await readBodyBy(ctx, (format) => service.codec(format, contract)));
}

export async function createResource(ctx: Context, service: ResourceService): Promise<void> {
  const input = await readInput(ctx, service);
  const condition = creationCondition(ctx.headers);
  const stored = await service.resources.create(assertPresent(ctx.state.principal), input, condition);
  return answerWrite(ctx, service, stored, 201, ['Location', urlOf(service, stored)]);
}

/**
 * RFC 9110 §9.3.4 forbids a validator in the response to a PUT whose body was changed before it was stored. Here, Content-Location makes
 * the tag that of the enclosed representation.
 */
export function answerWrite(
  ctx: Context,
  service: ResourceService,
  stored: Stored<Resource>,
  status: 200 | 201,
  more: readonly string[] = [],
): Promise<void> | undefined {
  const preference = returnPreferenceOf(ctx);
  const fields = [...more, 'Content-Location', urlOf(service, stored), 'Cache-Control', 'no-store'];
  fields.push(...lastModifiedField(service.definition.kind, stored));
  if (preference !== undefined) fields.push('Preference-Applied', `return=${preference}`);
  if (preference !== 'minimal') return sendResource(ctx, service, stored, status, fields);
  const emptyStatus = status === 200 ? 204 : status;
  return respond(ctx, { status: emptyStatus, fields: [...fields, 'ETag', tagOf(ctx, stored)] });
}

/** The preference `return` (RFC 7240 §4.2); undefined means `representation`. */
function returnPreferenceOf(ctx: Context): 'minimal' | 'representation' | undefined {
  const [, wanted] =
    /(?:^|,)[ \t]*return[ \t]*=[ \t]*"?(minimal|representation)"?[ \t]*(?:[,;]|$)/i.exec(ctx.get('Prefer')) ??
    [];
  return wanted?.toLowerCase() as 'minimal' | 'representation' | undefined;
}

/** RFC 9110 §14.5: a partial body, taken for a whole one, would delete the rest. @throws HttpProblem 400 */
function refuseParts({ headers }: Context, name: KindName): void {
  if (headers['content-range'] !== undefined)
    throw new HttpProblem(
      'invalid-header',
      `Content-Range has no meaning here: a ${name} is replaced as a whole.`,
    );
}

const updateHandler =
  (operation: 'replace' | 'patch') =>
  async (ctx: Context, service: ResourceService): Promise<void> => {
    const { name } = service.definition.kind;
    // A path without a UUID names nothing. The use case reports this after the body is validated (422).
    const id = canonicalUuid(String(ctx.params.id)) ?? '';
    const input = await readInput(ctx, service);
    if (operation === 'replace') refuseParts(ctx, name);
    if (service.requireIfMatch) requireIfMatch(ctx.headers);
    const precondition = preconditionOf(ctx, service);
    const principal = assertPresent(ctx.state.principal);
    const stored = await service.resources[operation](principal, id, input, precondition);
    return answerWrite(ctx, service, stored, 200);
  };

export const replaceResource = updateHandler('replace');
export const patchResource = updateHandler('patch');

export async function removeResource(ctx: Context, service: ResourceService): Promise<void> {
  if (service.requireIfMatch) requireIfMatch(ctx.headers);
  const precondition = preconditionOf(ctx, service);
  const id = idInPath(ctx, service.definition.kind.name);
  const erase = eraseOf(ctx.state.query);
  await service.resources.remove(assertPresent(ctx.state.principal), id, precondition, erase);
  return respond(ctx, { status: 204, fields: ['Cache-Control', 'no-store'] });
}

const urlOf = ({ url, definition }: ResourceService, { id }: Stored<Resource>): string =>
  url(`${pathOf(definition)}/${id}`);
