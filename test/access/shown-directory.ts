/** The directory that a profile shows, as one of its own: what an unlimited client of it gets, a client with the profile gets of the whole. */
import type { Content } from './both-stores.ts';
import { kinds } from './directories.ts';
import {
  type Document,
  hiddenPart,
  isInside,
  isVisible,
  type Plural,
  type Profile,
  project,
  type Rules,
} from './profile-model.ts';

/** Without it no resource is valid; no search finds it, and answers are compared without it. */
const nameOf = (document: Document): string => `zzz${String(document.id)}`;

const uniqueMembers = { users: 'userName', groups: 'displayName' } as const;

export const inOrder = (plural: Plural, document: Document): Document => {
  const { properties } = kinds.of(plural === 'users' ? 'user' : 'group').schema;
  return Object.fromEntries(
    Object.keys(properties).flatMap((name) => (document[name] === undefined ? [] : [[name, document[name]]])),
  );
};

/** With stand-ins for hidden members that no resource lacks. */
export function show(plural: Plural, rules: Rules, document: Document): Document {
  const name = uniqueMembers[plural];
  return inOrder(plural, {
    ...project(rules, document),
    ...(!isVisible(rules, name) && { [name]: nameOf(document) }),
    ...(plural === 'users' && !isVisible(rules, 'active') && { active: true }),
  });
}

const insideOf = (plural: Plural, { [plural]: rules }: Profile, content: Content) =>
  [...content[plural]].filter(([, document]) => isInside(rules, document));

export const seesMembers = ({ groups }: Profile): boolean =>
  groups !== undefined && isVisible(groups, 'members');

export function showAll(profile: Profile, content: Content): Content {
  const shown = (plural: Plural) =>
    new Map(
      insideOf(plural, profile, content).map(([id, document]) => [
        id,
        show(plural, profile[plural] as Rules, document),
      ]),
    );
  const [users, groups] = [shown('users'), shown('groups')];
  const isMember = (id: string) => seesMembers(profile) && users.has(id);
  const members = [...groups.keys()].map(
    (id) => [id, new Set([...(content.members.get(id) ?? [])].filter(isMember))] as const,
  );
  return { users, groups, members: new Map(members) };
}

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const merge = (one: Document, other: Document): Document => ({
  ...one,
  ...Object.fromEntries(
    Object.entries(other).map(([name, value]) => {
      const before = one[name];
      return [name, isObject(before) && isObject(value) ? merge(before, value) : value];
    }),
  ),
});

/** A resource of the whole directory after its visible part was changed. @param before undefined for a new one */
export const withShown = (
  plural: Plural,
  rules: Rules,
  before: Document | undefined,
  shown: Document,
): Document =>
  inOrder(
    plural,
    merge(hiddenPart(rules, before ?? (plural === 'users' ? { active: true } : {})), project(rules, shown)),
  );

/** A map's entries are in any order. */
const sortEntries = (text: string): string =>
  text
    .split(/(?=<attribute )/)
    .sort()
    .join('');

/** The text of an answer without stand-ins, and without what differs between any two services. */
export function comparable(text: string, profile: Profile, isList: boolean): string {
  const { users, groups } = profile;
  const left = [
    /"(?:userName|displayName|display)":"zzz[^"]*",?/gu,
    /<(?:userName|displayName)>zzz[^<]*<\/\w+>/gu,
    ...(users && !isVisible(users, 'active') ? [/"active":true,?/g, /<active>true<\/active>/g] : []),
    ...((isList && users?.where) || !seesMembers(profile) || !groups
      ? [/"memberCount":\d+,?/g, /<memberCount>\d+<\/memberCount>/g]
      : []),
    ...(seesMembers(profile) ? [] : [/"(?:members|groups)":\[\],?/g]),
  ];
  return left
    .reduce((rest, pattern) => rest.replace(pattern, ''), text)
    .replace(/,?"version":"(?:[^"\\]|\\.)*"/g, '')
    .replace(/<version>[^<]*</g, '<version><')
    .replace(/(?:<attribute name.*?<\/attribute>)+/g, sortEntries)
    .replace(/urn:uuid:[0-9a-f-]+/g, 'urn:uuid');
}
