/** The handlers for single users: from a request to a use case and back. */

import { invalidResource, resourceChanged, resourceNotFound } from '../../../domain/base/errors.ts';
import { canonicalUuid } from '../../../domain/base/uuid.ts';
import type { Precondition } from '../../../domain/resources.ts';
import type { StoredUser } from '../../../domain/user/stored-user.ts';
import type { User } from '../../../domain/user/user.ts';
import { acceptableCodings, codingFor } from '../../http/core/codings.ts';
import {
  creationCondition,
  entityTag,
  findHeldTag,
  isFresh,
  lastModifiedOf,
  preconditionOfRead,
  preconditionOfWrite,
  requireIfMatch,
  tagInCoding,
} from '../../http/core/conditional.ts';
import { assertPresent, type Context } from '../../http/core/context.ts';
import { respond } from '../../http/core/respond.ts';
import { mediaTypeOf } from '../../http/headers/negotiation.ts';
import { HttpProblem } from '../../http/problems/problems.ts';
import { readUserBody, type UsersService } from './users-service.ts';

const pathOf = (user: StoredUser): string => `/users/${user.id}`;

/** @throws DomainError `user-not-found` for a path without a UUID, which can't be a user's id */
function idOf(ctx: Context): string {
  const id = canonicalUuid(String(ctx.params.id));
  if (id === undefined) throw resourceNotFound('user');
  return id;
}

/** Evaluated at the time of the write. @throws HttpProblem 400 */
function userPrecondition({ headers }: Context): Precondition | undefined {
  const condition = preconditionOfWrite(headers);
  return condition && ((user) => condition(user?.meta));
}

const tagOf = (ctx: Context, user: Pick<User, 'meta'>): string =>
  entityTag(user.meta.version, assertPresent(ctx.state.choice));

const lastModifiedField = (user: Pick<User, 'meta'>): string[] => [
  'Last-Modified',
  lastModifiedOf(user.meta, Date.now()),
];

/** The unencoded content, its content coding, and its entity tag in that coding. */
function representationOf(ctx: Context, service: UsersService, user: StoredUser) {
  const content = service.printer(assertPresent(ctx.state.choice).format).print(user);
  const coding = codingFor(ctx, content.length);
  return { content, coding, tag: tagInCoding(tagOf(ctx, user), coding) };
}

function sendUser(
  ctx: Context,
  service: UsersService,
  user: StoredUser,
  status: number,
  fields: readonly string[],
) {
  const { content, coding, tag } = representationOf(ctx, service, user);
  const { contentType } = assertPresent(mediaTypeOf(assertPresent(ctx.state.choice)));
  const all = [...fields, 'ETag', tag, 'Content-Type', contentType];
  return respond(ctx, { status, fields: all, content, coding });
}

export async function readUser(ctx: Context, service: UsersService): Promise<void> {
  const user = await service.users.read(assertPresent(ctx.state.principal), idOf(ctx));
  const { headers } = ctx.req;
  if (preconditionOfRead(headers)?.(user.meta) === false) throw resourceChanged('user');
  const held = findHeldTag(headers, tagOf(ctx, user), () => acceptableCodings(ctx));
  const fields = ['Cache-Control', service.cacheControl, ...lastModifiedField(user)];
  if (held === undefined && !isFresh(headers, user.meta)) return sendUser(ctx, service, user, 200, fields);
  const tag = held ?? representationOf(ctx, service, user).tag;
  return respond(ctx, { status: 304, fields: [...fields, 'ETag', tag] });
}

export async function createUser(ctx: Context, service: UsersService): Promise<void> {
  const { value, violations } = await readUserBody(ctx, service);
  const condition = creationCondition(ctx.headers);
  if (violations.length > 0) throw invalidResource('user', violations);
  const user = await service.users.create(assertPresent(ctx.state.principal), value, condition);
  return answerWrite(ctx, service, user, 201, ['Location', service.url(pathOf(user))]);
}

/**
 * RFC 9110 §9.3.4 forbids a validator in the response to a PUT whose body was changed before it was stored. Here, Content-Location makes
 * the tag that of the enclosed representation.
 */
function answerWrite(
  ctx: Context,
  service: UsersService,
  user: StoredUser,
  status: 200 | 201,
  more: readonly string[] = [],
): Promise<void> | undefined {
  const preference = returnPreferenceOf(ctx);
  const applied = preference === undefined ? [] : ['Preference-Applied', `return=${preference}`];
  const location = ['Content-Location', service.url(pathOf(user))];
  const fields = [...more, ...location, 'Cache-Control', 'no-store', ...lastModifiedField(user), ...applied];
  if (preference !== 'minimal') return sendUser(ctx, service, user, status, fields);
  const emptyStatus = status === 200 ? 204 : status;
  return respond(ctx, { status: emptyStatus, fields: [...fields, 'ETag', tagOf(ctx, user)] });
}

/** The preference `return` (RFC 7240 §4.2); undefined means `representation`. */
function returnPreferenceOf(ctx: Context): 'minimal' | 'representation' | undefined {
  const [, wanted] =
    /(?:^|,)[ \t]*return[ \t]*=[ \t]*"?(minimal|representation)"?[ \t]*(?:[,;]|$)/i.exec(ctx.get('Prefer')) ??
    [];
  return wanted?.toLowerCase() as 'minimal' | 'representation' | undefined;
}

/** RFC 9110 §14.5: a partial body, taken for a whole user, would delete the rest. @throws HttpProblem 400 */
function refuseParts({ headers }: Context): void {
  if (headers['content-range'] !== undefined)
    throw new HttpProblem(
      'invalid-header',
      'Content-Range has no meaning here: a user is replaced as a whole.',
    );
}

const updateHandler =
  (operation: 'replace' | 'patch') =>
  async (ctx: Context, service: UsersService): Promise<void> => {
    // A path without a UUID names no user. The use case reports this after the body is validated (422).
    const id = canonicalUuid(String(ctx.params.id)) ?? '';
    const { value, violations } = await readUserBody(ctx, service);
    if (operation === 'replace') refuseParts(ctx);
    if (service.requireIfMatch) requireIfMatch(ctx.headers);
    const precondition = userPrecondition(ctx);
    if (violations.length > 0) throw invalidResource('user', violations);
    const principal = assertPresent(ctx.state.principal);
    const user = await service.users[operation](principal, id, value, precondition);
    return answerWrite(ctx, service, user, 200);
  };

export const replaceUser = updateHandler('replace');
export const patchUser = updateHandler('patch');

export async function removeUser(ctx: Context, service: UsersService): Promise<void> {
  if (service.requireIfMatch) requireIfMatch(ctx.headers);
  const precondition = userPrecondition(ctx);
  await service.users.remove(assertPresent(ctx.state.principal), idOf(ctx), precondition);
  return respond(ctx, { status: 204, fields: ['Cache-Control', 'no-store'] });
}
