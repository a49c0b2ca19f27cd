/** Memberships as rows of files: pairs of a group and a user, one group after the other. */

import * as Type from 'typebox';
import { groupKind } from '../kinds/group/kind.ts';
import type { Kind } from '../kinds/kind.ts';
import { userKind } from '../kinds/user/kind.ts';
import { called, text } from '../resource/annotations.ts';
import type { Store, StoredResource } from '../store.ts';
import { canonicalUuid } from '../validation/plain-values.ts';
import { textOf } from './row-lookup.ts';

/** Each by id or by name. */
export const MembershipRow = Type.Object(
  {
    group: text(1024, undefined, called('Group, Group name', 'Gruppe, Gruppenname')),
    user: text(1024, undefined, called('User, User name', 'Benutzer, Benutzername')),
  },
  { additionalProperties: false },
);
export type MembershipRow = Type.Static<typeof MembershipRow>;

export const membershipParts = { group: groupKind as unknown as Kind, user: userKind as unknown as Kind };

/** Replaces a kind for files of memberships. */
export const membershipFile = { name: 'membership', plural: 'memberships', shown: MembershipRow } as const;
export type FileKind = Kind | typeof membershipFile;

export const isMembershipFile = (kind: Pick<FileKind, 'plural'>): kind is typeof membershipFile =>
  kind === membershipFile;

/** How rows name groups and users. */
export const referenceForms = ['id', 'name'] as const;
export type ReferenceForm = (typeof referenceForms)[number];

/** Ids in one page: few groups have more members. */
const idsInPage = 10_000;
/** Users that are looked up together. */
const usersAtOnce = 500;

/** The ids of a group's members, in order, without reading their documents. */
async function* listMemberIds(store: Store, group: string): AsyncGenerator<readonly string[]> {
  const query = { where: { filter: 'group', key: group }, list: {}, limit: idsInPage, maxLength: 1 };
  for (let page = await store.page('user', query); ; ) {
    yield [...page.items.map(({ id }) => id), ...(page.rest ?? [])];
    if (!page.more) return;
    page = await store.page('user', { ...query, after: page.last });
  }
}

/** The name, or the id if the name has the form of an id or the resource can't be read. */
function nameOf({ unique }: Kind, resource: StoredResource): string {
  let name: string | undefined;
  try {
    name = textOf(resource.value, unique.member);
  } catch {
    return resource.id;
  }
  return name === undefined || canonicalUuid(name) !== undefined ? resource.id : name;
}

/**
 * The memberships of the groups.
 * @throws DomainError `unavailable`, also when a group is deleted, or gets other members as a whole, while its members are read
 */
export async function* listMemberships(
  store: Store,
  groups: AsyncIterable<readonly StoredResource[]>,
  form: ReferenceForm = 'id',
): AsyncGenerator<readonly MembershipRow[]> {
  for await (const batch of groups)
    for (const stored of batch) {
      const group = form === 'id' ? stored.id : nameOf(membershipParts.group, stored);
      for await (const ids of listMemberIds(store, stored.id)) {
        const users = form === 'id' ? ids : await findNames(store, ids);
        yield users.map((user) => ({ group, user }));
      }
    }
}

/** Users that were deleted meanwhile are left out. */
async function findNames(store: Store, ids: readonly string[]): Promise<readonly string[]> {
  const names: string[] = [];
  for (let from = 0; from < ids.length; from += usersAtOnce) {
    const users = await store.findAll('user', ids.slice(from, from + usersAtOnce));
    for (const user of users.values()) names.push(nameOf(membershipParts.user, user));
  }
  return names;
}
