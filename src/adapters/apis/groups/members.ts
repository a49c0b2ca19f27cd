/** The members of a group: paths of their own, since a change of members takes no lock. */

import { scopeOf } from '../../../domain/scopes.ts';
import type { MembersChange } from '../../../domain/store.ts';
import { type Groups, maxMembersChange } from '../../../domain/use-cases/groups.ts';
import {
  DomainError,
  maxViolations,
  UnknownMembers,
  type Violation,
} from '../../../domain/validation/errors.ts';
import { canonicalUuid } from '../../../domain/validation/plain-values.ts';
import { validator } from '../../../domain/validation/schema-validator.ts';
import type { Codec, Format } from '../../formats/port/format.ts';
import type { DescribedRoute } from '../../http/pipeline/api.ts';
import { assertPresent, type Context, clientOf } from '../../http/pipeline/context.ts';
import { respond } from '../../http/pipeline/respond.ts';
import { writeIds } from '../../scheduler/slices.ts';
import { idInPath } from '../resources/handlers.ts';
import { idParameter } from '../resources/routes.ts';
import { readBodyBy } from '../resources/service.ts';
import { MembersBody, membersInput } from './documents.ts';

const validate = validator(MembersBody);

/** Each id is a value, and so is each list. The limit is a little higher, so that a body with a few ids too many gets a helpful error. */
const maxValues = maxMembersChange + 100;

const invalidMembers = (violations: readonly Violation[]): DomainError =>
  new DomainError(
    'invalid-members',
    'The change of members breaks the rules named in errors; nothing was changed.',
    { violations: violations.slice(0, maxViolations) },
  );

interface SentChange extends MembersChange {
  /** Points to an id in the body, where repeated and empty ids still count. */
  readonly pointerTo: (list: 'add' | 'remove', position: number) => string;
}

/** @throws DomainError `invalid-members` */
function readChange(value: unknown, unknown: readonly Violation[]): SentChange {
  // A document with another root has no value; its violation is already reported.
  const { value: given, violations, original } = validate(value === undefined ? {} : value);
  if (unknown.length + violations.length > 0) throw invalidMembers([...unknown, ...violations]);
  const { add = [], remove = [] } = given as { add?: string[]; remove?: string[] };
  if (add.length + remove.length > maxMembersChange)
    throw invalidMembers([{ pointer: '', detail: `must have at most ${maxMembersChange} ids` }]);
  const firsts = { add: firstPositions(add), remove: firstPositions(remove) };
  const wrong = remove.flatMap((id, at) =>
    firsts.add.has(canonicalUuid(id) ?? id)
      ? [{ pointer: original(`/remove/${at}`), detail: 'is in both lists' }]
      : [],
  );
  if (wrong.length > 0) throw invalidMembers(wrong);
  return {
    add: [...firsts.add.keys()],
    remove: [...firsts.remove.keys()],
    pointerTo: (list, position) => original(`/${list}/${[...firsts[list].values()][position]}`),
  };
}

/** Returns the ids without repeats, each with its first place. */
function firstPositions(ids: readonly string[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (const [at, given] of ids.entries()) {
    const id = canonicalUuid(given) ?? given;
    if (!positions.has(id)) positions.set(id, at);
  }
  return positions;
}

const done = (ctx: Context) => respond(ctx, { status: 204, fields: ['Cache-Control', 'no-store'] });

export function memberRoutes(groups: Groups, formats: readonly Format[]): readonly DescribedRoute[] {
  const codecs = new Map<Format, Codec<unknown>>(
    formats.map((format) => [format, format.codec(MembersBody, membersInput.naming, maxValues)]),
  );
  const principal = (ctx: Context) => assertPresent(ctx.state.principal);
  const changeOne = (list: 'add' | 'remove') => async (ctx: Context) => {
    const [group, user] = [idInPath(ctx, 'group'), idInPath(ctx, 'user', 'user')];
    await groups.changeMember(principal(ctx), group, list, user);
    return done(ctx);
  };
  const member = {
    path: '/groups/:id/members/:user',
    params: {
      id: idParameter,
      user: { ...idParameter, description: "The user's id; its letters may be in either case." },
    },
    isNegotiated: false,
  } as const;
  const noContent = (description: string) => [{ status: 204, description }] as const;
  const notFound = ['group-not-found', 'user-not-found'];
  return [
    {
      ...member,
      method: 'GET',
      id: 'readMember',
      scope: scopeOf('group', 'read'),
      handle: async (ctx) => {
        await groups.assertMember(principal(ctx), idInPath(ctx, 'group'), idInPath(ctx, 'user', 'user'));
        return done(ctx);
      },
      summary: 'Ask whether a user is a member',
      answers: noContent('The user is a member.'),
      problems: [...notFound, 'member-not-found'],
    },
    {
      ...member,
      method: 'PUT',
      id: 'addMember',
      scope: scopeOf('group', 'change'),
      handle: changeOne('add'),
      summary: 'Add a member',
      description: 'Adding a member again changes nothing. It takes no `If-Match`.',
      answers: noContent('The user is a member now.'),
      problems: [...notFound, 'outcome-unknown'],
    },
    {
      ...member,
      method: 'DELETE',
      id: 'removeMember',
      scope: scopeOf('group', 'change'),
      handle: changeOne('remove'),
      summary: 'Remove a member',
      description: 'Removing a user that is not a member changes nothing. It takes no `If-Match`.',
      answers: noContent('The user is not a member now.'),
      problems: [...notFound, 'outcome-unknown'],
    },
    {
      method: 'POST',
      path: '/groups/:id/members',
      params: { id: idParameter },
      id: 'changeMembers',
      scope: scopeOf('group', 'change'),
      isNegotiated: false,
      instead: 'GET /users?group=… lists the members of a group.',
      handle: async (ctx) => {
        const id = idInPath(ctx, 'group');
        const { value, violations } = await readBodyBy(ctx, (format) => assertPresent(codecs.get(format)));
        const { pointerTo, ...change } = readChange(value, violations);
        try {
          const ids = change.add.length + change.remove.length;
          await writeIds(clientOf(ctx), ids, () => groups.changeMembers(principal(ctx), id, change));
        } catch (error) {
          if (!(error instanceof UnknownMembers)) throw error;
          const { code, message, list, unknown } = error;
          throw new DomainError(code, message, {
            violations: unknown.map(({ position, detail }) => ({
              pointer: pointerTo(list, position),
              detail,
            })),
          });
        }
        return done(ctx);
      },
      summary: 'Change the members',
      description:
        'Adds and removes up to 10,000 members in one step: all or nothing. Adding a member again and removing a user that is not a member change nothing. It takes no `If-Match`. To list the members, filter the list of users by `group`.',
      headers: ['Content-Encoding'],
      takes: membersInput,
      answers: noContent('The members were changed.'),
      problems: [
        ...['unreadable-body', 'body-too-large', 'unsupported-media-type', 'unsupported-content-coding'],
        ...['invalid-members', 'group-not-found', 'outcome-unknown'],
      ],
    },
  ];
}
