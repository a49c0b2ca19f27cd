/** Generated users of whom some have more to be searched than a search text holds, and texts that some of theirs begin with. */

import fc from 'fast-check';
import { maxUserBytes, User } from '../../src/domain/kinds/user/user.ts';
import { findAnnotatedFields, textsAt } from '../../src/domain/resource/annotations.ts';
import { lowerCase } from '../../src/domain/unicode/case-mapping.ts';
import { aUser } from './a-user.ts';
import { anyUser } from './users.ts';

/** Of each kind that is told apart; the last but one is 18 characters as folded, with spaces between. */
const unit = fc.constantFrom(
  ...['a', 'B', 'é', 'ß', 'Σ', 'İ', '7', '-', "'", '山', 'ก', '\u{10400}', '\u{1F600}', '\uFDFA', '\u1C89'],
);
const word = fc.string({ unit, minLength: 1, maxLength: 5 });
const text = fc
  .array(word, { minLength: 1, maxLength: 12 })
  .map((words) => words.join(' ').slice(0, 128).toWellFormed());

/** So many long texts, of which no two words are alike: those count once. */
export const longTexts = (filler: string, count: number, length: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const words = Array.from({ length: 60 }, (_, at) => `${filler}${60 * index + at}`).join('');
    return Array.from(words).slice(0, length).join('');
  });

/** One whose department stands behind all that is searched. */
export const cutOffUser = (members: Partial<User>): User =>
  aUser({
    ims: longTexts('\uFDFA', 15, 256).map((value) => ({ value })),
    enterprise: { department: 'Engines' },
    ...members,
  });

/** What is long comes in front of the last messenger and the department, which then are no longer searched. */
export const anyOverflowing: fc.Arbitrary<User> = fc.oneof(
  anyUser(),
  fc
    .record({
      filler: word,
      count: fc.integer({ min: 1, max: 19 }),
      displayName: text,
      im: text,
      department: text,
    })
    .map(({ filler, count, displayName, im, department }) =>
      aUser({
        displayName,
        emails: longTexts(filler, count, 252).map((local) => ({ value: `${local}@x` })),
        ims: [...longTexts(`m${filler}`, count, 256), im].map((value) => ({ value })),
        enterprise: { department },
      }),
    )
    .filter((user) => Buffer.byteLength(JSON.stringify(user)) <= maxUserBytes),
);

const fields = findAnnotatedFields(User, 'search').filter(({ annotation }) => annotation === 'words');
/** All that is searched of the user by its words. */
const searchedTexts = (user: User): string[] => fields.flatMap(({ path }) => textsAt(user, path));

/** One of a user's texts, how much of it, and how it is written. */
export const anyBeginning = fc.record({
  text: fc.nat(),
  length: fc.oneof(fc.nat(8), fc.constant(Number.MAX_SAFE_INTEGER)),
  write: fc.constantFrom(
    (typed: string) => typed,
    (typed: string) => typed.toUpperCase(),
    (typed: string) => typed.toLowerCase(),
    lowerCase,
  ),
});
type AnyBeginning = typeof anyBeginning extends fc.Arbitrary<infer T> ? T : never;

/** What one of the user's texts equals or begins with whatever the case; undefined when, as written, none does. */
export function beginningOf(user: User, { text: which, length, write }: AnyBeginning): string | undefined {
  const texts = searchedTexts(user);
  const chosen = texts[which % texts.length] ?? '';
  const typed = write(chosen.slice(0, length));
  return lowerCase(chosen).startsWith(lowerCase(typed)) ? typed : undefined;
}
