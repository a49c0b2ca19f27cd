/** Values of a person, which an erasure has to remove: words that stand nowhere else, so that bytes can be searched for them. */
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { User } from '../../src/domain/kinds/user/user.ts';

/** Letters that no other value has. */
const unique = (): string =>
  Array.from({ length: 14 }, () => String.fromCharCode(97 + randomInt(26))).join('');

/** As of one time of the person's life, and the words in it. */
export function aLife(): { fields: Partial<User>; words: string[] } {
  const words = Array.from({ length: 11 }, unique);
  const [userName, given, family, display, title, role, department, mail, street, custom, nick] = words;
  const fields = {
    userName,
    name: { givenName: given, familyName: family },
    displayName: display,
    title,
    roles: [role],
    enterprise: { department },
    emails: [{ value: `${mail}@example.org` }],
    addresses: [{ streetAddress: street }],
    attributes: { note: custom },
    nickName: nick,
  } as Partial<User>;
  return { fields, words };
}

/** Words of which bytes are in the SQLite file or its WAL. An index may have left out the first letters, or cut off the last ones. */
export function wordsLeft(file: string, words: readonly string[]): readonly string[] {
  const bytes = [file, `${file}-wal`].filter((path) => existsSync(path)).map((path) => readFileSync(path));
  const isThere = (word: string) => bytes.some((some) => some.includes(word.slice(2, 8)));
  return words.filter(isThere);
}
