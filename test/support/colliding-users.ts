/** Generated users and searches in few letters, so that words, keys and terms meet. */
import fc from 'fast-check';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { aUser } from './a-user.ts';
import { anyUser } from './users.ts';

/** Of each kind that is told apart: case, marks, folded longer, digits, punctuation, without spaces, on both sides of U+FFFF. */
const unit = fc.constantFrom(
  ...[
    'a',
    'A',
    'a',
    'b',
    'á',
    'ß',
    '0',
    '7',
    "'",
    '-',
    '%',
    '_',
    '山',
    '田',
    'ก',
    '\uFFFD',
    '\u{10400}',
    '\u{1F600}',
  ],
);
const word = fc.string({ unit, minLength: 1, maxLength: 4 });
const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const digits = fc.string({ unit: fc.constantFrom('0', '1', '7'), minLength: 1, maxLength: 4 });
const phone = fc.tuple(
  fc.constantFrom('', '+', '00', 'tel:', '(0)'),
  digits,
  fc.constantFrom('', '-', ' '),
  digits,
);
const date = fc.constantFrom(
  '1999-12-31T23:59:59.999Z',
  '2026-01-02T03:04:05.678Z',
  '2026-01-02T03:04:05.679Z',
);

const members = {
  externalId: fc.constantFrom('a', 'b', 'a-7'),
  name: fc.record({ familyName: text, givenName: text }, { requiredKeys: ['familyName'] }),
  displayName: text,
  nickName: text,
  title: text,
  active: fc.boolean(),
  validFrom: date,
  validUntil: date,
  emails: fc.tuple(word, word).map(([local, domain]) => [{ value: `${local}@${domain}` }]),
  phoneNumbers: fc
    .array(phone, { minLength: 1, maxLength: 2 })
    .map((all) => all.map((parts) => ({ value: parts.join('') }))),
  roles: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }),
};

/** All but who it is: id and version are new, and the name is made unlike any other's by its end. */
export const anyContent: fc.Arbitrary<Partial<User>> = fc
  .tuple(fc.record(members, { requiredKeys: [] }), fc.option(anyUser(), { freq: 1 }), word, date, date)
  .map(([few, other, userName, created, lastModified]) => {
    const { id: _id, userName: _name, meta: _meta, ...rest } = other ?? aUser();
    return { ...rest, ...few, userName, meta: { created, lastModified, version: '' } };
  });

let made = 0;
/** A user with this content, unlike any other in id, name and version. */
export function userWith(content: Partial<User>, id?: string): User {
  made += 1;
  const user = aUser(id === undefined ? {} : { id });
  const meta = { ...user.meta, ...content.meta, version: user.meta.version };
  return { ...user, ...content, userName: `${content.userName}.${made}`, meta };
}

/** A term of a search: letters of any kind, or cut out of a user's texts, which is told by numbers. */
export const anyTerm = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit, minLength: 1, maxLength: 2 }) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('', '+', '00'), digits).map((parts) => parts.join('')) },
  {
    weight: 4,
    arbitrary: fc.record({
      user: fc.nat(),
      text: fc.nat(),
      word: fc.nat(),
      from: fc.constantFrom(0, 0, 0, 1, 2),
      length: fc.integer({ min: 1, max: 6 }),
    }),
  },
);
type AnyTerm = typeof anyTerm extends fc.Arbitrary<infer T> ? T : never;

const texts = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value
      ? Object.values(value).flatMap(texts)
      : [];

/** As it is typed; may be empty. */
export function typed(term: AnyTerm, users: readonly User[]): string {
  if (typeof term === 'string') return term;
  const { id: _id, meta: _meta, ...user } = users[term.user % users.length] ?? aUser();
  const all = texts(user);
  const words = (all[term.text % all.length] ?? '').split(/\s/);
  const characters = [...(words[term.word % words.length] ?? '')];
  return characters.slice(term.from, term.from + term.length).join('');
}
