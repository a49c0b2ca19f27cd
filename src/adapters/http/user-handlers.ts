/** The handlers of one user's routes: from a request to a use case and back. */
import { changed, notFound } from '../../domain/errors.ts';
import { KeptUser } from '../../domain/kept-user.ts';
import { canonicalId, type User } from '../../domain/user.ts';
import { invalid } from '../../domain/user-input.ts';
import { readBody } from './body.ts';
import { acceptableCodings, codingFor } from './codings.ts';
import {
  creationCondition,
  entityTag,
  heldTag,
  inCoding,
  isFresh,
  lastModified,
  preconditionOf,
  readConditions,
  requireIfMatch,
} from './conditional.ts';
import { type Context, present, type Service } from './context.ts';
import { mediaTypeOf } from './negotiation.ts';
import { HttpProblem } from './problems.ts';
import { respond } from './respond.ts';

const pathOf = (user: User): string => `/users/${user.id}`;

/** The id in the path. What isn't shaped like one names no user: 404. */
function idOf(ctx: Context): string {
  const id = canonicalId(String(ctx.params.id));
  if (id === undefined) throw notFound();
  return id;
}

const tagOf = (ctx: Context, user: Pick<User, 'meta'>): string =>
  entityTag(user.meta.version, present(ctx.state.choice));

const dated = (user: Pick<User, 'meta'>): string[] => ['Last-Modified', lastModified(user, Date.now())];

/** What is sent as the user, in the coding that suits it, and the tag that this has. */
function representation(ctx: Context, service: Service, user: KeptUser) {
  const content = service.printer(present(ctx.state.choice).format).print(user);
  const coding = codingFor(ctx, content.length);
  return { content, coding, tag: inCoding(tagOf(ctx, user), coding) };
}

function show(ctx: Context, service: Service, user: KeptUser, status: number, fields: readonly string[]) {
  const { content, coding, tag } = representation(ctx, service, user);
  const { contentType } = present(mediaTypeOf(present(ctx.state.choice)));
  const all = [...fields, 'ETag', tag, 'Content-Type', contentType];
  return respond(ctx, { status, fields: all, content, coding });
}

export async function readUser(ctx: Context, service: Service): Promise<void> {
  const user = await service.users.read(present(ctx.state.principal), idOf(ctx));
  const { headers } = ctx.req;
  if (readConditions(headers)?.(user) === false) throw changed();
  const held = heldTag(headers, tagOf(ctx, user), () => acceptableCodings(ctx));
  const fields = ['Cache-Control', service.cacheControl, ...dated(user)];
  if (held === undefined && !isFresh(headers, user)) return show(ctx, service, user, 200, fields);
  const tag = held ?? representation(ctx, service, user).tag;
  return respond(ctx, { status: 304, fields: [...fields, 'ETag', tag] });
}

export async function createUser(ctx: Context, service: Service): Promise<void> {
  const { value, violations } = await readBody(ctx, service);
  const condition = creationCondition(ctx.headers);
  if (violations.length > 0) throw invalid(violations);
  const user = await service.users.create(present(ctx.state.principal), value, condition);
  return answerWrite(ctx, service, user, 201, ['Location', service.url(pathOf(user))]);
}

/**
 * RFC 9110 §9.3.4 would have no validator in the answer to a PUT whose body was changed on the way in; here the tag is
 * that of the representation enclosed, as Content-Location says.
 */
function answerWrite(
  ctx: Context,
  service: Service,
  user: User,
  status: 200 | 201,
  more: readonly string[] = [],
): Promise<void> | undefined {
  const preference = preferredReturn(ctx);
  const applied = preference === undefined ? [] : ['Preference-Applied', `return=${preference}`];
  const place = ['Content-Location', service.url(pathOf(user))];
  const fields = [...more, ...place, 'Cache-Control', 'no-store', ...dated(user), ...applied];
  if (preference !== 'minimal') return show(ctx, service, KeptUser.of(user), status, fields);
  const nothing = status === 200 ? 204 : status;
  return respond(ctx, { status: nothing, fields: [...fields, 'ETag', tagOf(ctx, user)] });
}

/** Whether the client wants to see what it wrote (RFC 7240 §4.2); without a word, it does. */
function preferredReturn(ctx: Context): 'minimal' | 'representation' | undefined {
  const [, wanted] =
    /(?:^|,)[ \t]*return[ \t]*=[ \t]*"?(minimal|representation)"?[ \t]*(?:[,;]|$)/i.exec(ctx.get('Prefer')) ??
    [];
  return wanted?.toLowerCase() as 'minimal' | 'representation' | undefined;
}

/** RFC 9110 §14.5: taken for the whole, a part would wipe the rest. @throws HttpProblem 400 */
function refuseParts({ headers }: Context): void {
  if (headers['content-range'] !== undefined)
    throw new HttpProblem(
      'invalid-header',
      'Content-Range has no meaning here: a user is replaced as a whole.',
    );
}

const update =
  (operation: 'replace' | 'patch') =>
  async (ctx: Context, service: Service): Promise<void> => {
    // What isn't shaped like an id names nobody, which only the store may say: after 422.
    const id = canonicalId(String(ctx.params.id)) ?? '';
    const { value, violations } = await readBody(ctx, service);
    if (operation === 'replace') refuseParts(ctx);
    if (service.requireIfMatch) requireIfMatch(ctx.headers);
    const precondition = preconditionOf(ctx.headers);
    if (violations.length > 0) throw invalid(violations);
    const principal = present(ctx.state.principal);
    const user = await service.users[operation](principal, id, value, precondition);
    return answerWrite(ctx, service, user, 200);
  };

export const replaceUser = update('replace');
export const patchUser = update('patch');

export async function removeUser(ctx: Context, service: Service): Promise<void> {
  if (service.requireIfMatch) requireIfMatch(ctx.headers);
  const precondition = preconditionOf(ctx.headers);
  await service.users.remove(present(ctx.state.principal), idOf(ctx), precondition);
  return respond(ctx, { status: 204, fields: ['Cache-Control', 'no-store'] });
}
