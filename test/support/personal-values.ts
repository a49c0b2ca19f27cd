/** Values of a person, which an erasure has to remove: words that stand nowhere else, so that bytes can be searched for them. */
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { User } from '../../src/domain/kinds/user/user.ts';

/** Letters that no other value has. */
const unique = (): string =>
  Array.from({ length: 14 }, () => String.fromCharCode(97 + randomInt(26))).join('');

/** As of one time of the person's life, and the words in it. */
export function aLife(): { fields: Partial<User>; words: string[] } {
  const words = Array.from({ length: 12 }, unique);
  const [userName, given, family, display, title, role, department, mail, street, custom, nick, name] = words;
  const fields = {
    userName,
    name: { givenName: given, familyName: family },
    displayName: display,
    title,
    roles: [role],
    enterprise: { department },
    emails: [{ value: `${mail}@example.org` }],
    addresses: [{ streetAddress: street }],
    attributes: { [name ?? '']: custom },
    nickName: nick,
  } as Partial<User>;
  return { fields, words };
}

/** As much as is in no other word by chance. */
const partOf = (word: string): string => word.slice(2, 10);

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
        const at = bytes.indexOf(partOf(word));
        if (at === -1) return [];
        return [{ word, path, at, beside: bytes.toString('latin1', Math.max(0, at - 40), at + 40) }];
      });
    });
}

/** Words of which bytes are there. */
export const wordsLeft = (file: string, words: readonly string[]): readonly string[] => [
  ...new Set(placesLeft(file, words).map(({ word }) => word)),
];

/**
 * Words of which bytes are in the unused middle of a page of the SQLite file, where SQLite leaves copies of rows that it moves
 * (https://www.sqlite.org/fileformat2.html#b_tree_pages).
 */
export function wordsInGaps(file: string, words: readonly string[]): readonly string[] {
  const bytes = readFileSync(file);
  const size = bytes.readUInt16BE(16);
  const gaps = Array.from({ length: bytes.length / size }, (_, nth) => {
    const page = bytes.subarray(nth * size, (nth + 1) * size);
    const [isInner, isLeaf] = [[2, 5].includes(page.readUInt8(0)), [10, 13].includes(page.readUInt8(0))];
    if (!isInner && !isLeaf) return '';
    return page.toString('latin1', (isInner ? 12 : 8) + 2 * page.readUInt16BE(3), page.readUInt16BE(5));
  });
  const texts = gaps.flatMap((gap) => gap.match(/[a-z]{8,}/g) ?? []).join(' ');
  return words.filter((word) => texts.includes(partOf(word)));
}
