/** The handlers of one user's routes: from a request to a use case and back. */
import { changed, notFound } from '../../domain/errors.ts';
import { KeptUser } from '../../domain/kept-user.ts';
import { canonicalId, type User } from '../../domain/user.ts';
import { invalid } from '../../domain/user-input.ts';
import { readBody } from './body.ts';
import { acceptableCodings, codingFor, setBody } from './codings.ts';
import {
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

const pathOf = (user: User): string => `/users/${user.id}`;

/** The id in the path. What isn't shaped like one names no user: 404. */
function idOf(ctx: Context): string {
  const id = canonicalId(String(ctx.params.id));
  if (id === undefined) throw notFound();
  return id;
}

const tagOf = (ctx: Context, user: Pick<User, 'meta'>): string =>
  entityTag(user.meta.version, present(ctx.state.choice));

/** The body with its tag, in the coding that suits it; for a 304 the tag alone. */
async function show(ctx: Context, service: Service, user: KeptUser, asBody = true): Promise<void> {
  const choice = present(ctx.state.choice);
  const body = service.printer(choice.format).print(user);
  const coding = codingFor(ctx, body.length);
  ctx.set('ETag', inCoding(tagOf(ctx, user), coding));
  if (!asBody) return;
  ctx.set('Content-Type', present(mediaTypeOf(choice)).contentType);
  await setBody(ctx, body, coding);
}

const setDate = (ctx: Context, user: Pick<User, 'meta'>): void =>
  ctx.set('Last-Modified', lastModified(user, Date.now()));

export async function readUser(ctx: Context, service: Service): Promise<void> {
  const user = await service.users.read(present(ctx.state.principal), idOf(ctx));
  if (readConditions(ctx.headers)?.(user) === false) throw changed();
  // Before a field is set: it may refuse the request, and the problem's answer is not of the user.
  const held = heldTag(ctx.headers, tagOf(ctx, user), () => acceptableCodings(ctx));
  ctx.set('Cache-Control', service.cacheControl);
  setDate(ctx, user);
  if (held !== undefined) ctx.set('ETag', held);
  const fresh = held !== undefined || isFresh(ctx.headers, user);
  if (held === undefined) await show(ctx, service, user, !fresh);
  if (fresh) ctx.status = 304;
}

/** The body as a value. @throws DomainError `invalid-user` for names that its format read and the user doesn't have */
async function input(ctx: Context, service: Service): Promise<unknown> {
  const { value, violations } = await readBody(ctx, service);
  if (violations.length > 0) throw invalid(violations);
  return value;
}

export async function createUser(ctx: Context, service: Service): Promise<void> {
  const user = await service.users.create(present(ctx.state.principal), await input(ctx, service));
  ctx.status = 201;
  ctx.set('Location', service.url(pathOf(user)));
  await answerWrite(ctx, service, user);
}

/**
 * RFC 9110 §9.3.4 would have no validator in the answer to a PUT whose body was changed on the way in; here the tag is
 * that of the representation enclosed, as Content-Location says.
 */
async function answerWrite(ctx: Context, service: Service, user: User): Promise<void> {
  ctx.set('Content-Location', service.url(pathOf(user)));
  ctx.set('Cache-Control', 'no-store');
  setDate(ctx, user);
  const preference = preferredReturn(ctx);
  if (preference !== undefined) ctx.set('Preference-Applied', `return=${preference}`);
  if (preference !== 'minimal') return show(ctx, service, KeptUser.of(user));
  ctx.set('ETag', tagOf(ctx, user));
  if (ctx.status === 201) {
    ctx.body = '';
    ctx.remove('Content-Type');
  } else ctx.status = 204;
}

/** Whether the client wants to see what it wrote (RFC 7240 §4.2); without a word, it does. */
function preferredReturn(ctx: Context): 'minimal' | 'representation' | undefined {
  const [, wanted] =
    /(?:^|,)[ \t]*return[ \t]*=[ \t]*"?(minimal|representation)"?[ \t]*(?:[,;]|$)/i.exec(ctx.get('Prefer')) ??
    [];
  return wanted?.toLowerCase() as 'minimal' | 'representation' | undefined;
}

const update =
  (operation: 'replace' | 'patch') =>
  async (ctx: Context, service: Service): Promise<void> => {
    // What isn't shaped like an id names nobody, which only the store may say: after 422.
    const id = canonicalId(String(ctx.params.id)) ?? '';
    const { value, violations } = await readBody(ctx, service);
    if (service.requireIfMatch) requireIfMatch(ctx.headers);
    const precondition = preconditionOf(ctx.headers);
    if (violations.length > 0) throw invalid(violations);
    const principal = present(ctx.state.principal);
    await answerWrite(ctx, service, await service.users[operation](principal, id, value, precondition));
  };

export const replaceUser = update('replace');
export const patchUser = update('patch');

export async function removeUser(ctx: Context, service: Service): Promise<void> {
  if (service.requireIfMatch) requireIfMatch(ctx.headers);
  const precondition = preconditionOf(ctx.headers);
  await service.users.remove(present(ctx.state.principal), idOf(ctx), precondition);
  ctx.set('Cache-Control', 'no-store');
  ctx.status = 204;
}
