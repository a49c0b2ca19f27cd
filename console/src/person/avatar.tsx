import { type Resource, titleOf, type User } from '../schema/kinds.ts';

/** `AL` of Ada Lovelace: of the given and the family name, or else of the first and the last word. */
function initialsOf(user: User): string {
  const { givenName, familyName } = user.name ?? {};
  const words = [givenName, familyName].filter(Boolean);
  const [first = '', ...rest] = words.length > 0 ? words : titleOf(user).split(/[\s._@-]+/);
  return [first, rest.at(-1) ?? '']
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}

/** In degrees. The same for a person everywhere; ids begin with the time, and end with what is random. */
const hueOf = ({ id }: Resource): number => Number.parseInt(id.slice(-4), 16) % 360;

/** The initials of a user, in a colour that helps to find the row again. Decorates the name beside it. */
export const Avatar = ({ user }: { readonly user: User }) => (
  <span class="avatar" style={{ '--hue': hueOf(user) }} data-initials={initialsOf(user)} aria-hidden="true" />
);
