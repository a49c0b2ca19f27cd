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

/**
 * Where bytes of the words are in the SQLite file or its WAL, with what is beside them. An index may have left out the first letters, or
 * cut off the last ones.
 */
export function placesLeft(file: string, words: readonly string[]) {
  return [file, `${file}-wal`]
    .filter((path) => existsSync(path))
    .flatMap((path) => {
      const bytes = readFileSync(path);
      return words.flatMap((word) => {
        const at = bytes.indexOf(word.slice(2, 8));
        if (at === -1) return [];
        return [{ word, path, at, beside: bytes.toString('latin1', Math.max(0, at - 40), at + 40) }];
      });
    });
}

/** Words of which bytes are there. */
export const wordsLeft = (file: string, words: readonly string[]): readonly string[] => [
  ...new Set(placesLeft(file, words).map(({ word }) => word)),
];
