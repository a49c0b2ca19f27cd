/** Users as they are stored, and what somebody may have done to their texts. */
import fc from 'fast-check';
import { User } from '../../src/domain/kinds/user/user.ts';
import { isObject } from '../../src/domain/validation/plain-values.ts';
import { anyText } from './any-text.ts';
import { anyUser } from './users.ts';

/** The same objects, with members in an order that follows from `seed`. */
export function shuffle(value: unknown, seed: number): unknown {
  if (Array.isArray(value)) return value.map((item, index) => shuffle(item, seed + index));
  if (!isObject(value)) return value;
  const rank = (name: string): number =>
    (Math.imul(seed + name.length, 2654435761) ^ name.charCodeAt(0)) >>> 0;
  const names = Object.keys(value).sort((one, other) => rank(one) - rank(other));
  return Object.fromEntries(names.map((name, index) => [name, shuffle(value[name], seed + index)]));
}

/** As they are stored, members of objects inside in whatever order the client sent them. */
export const storedText = (): fc.Arbitrary<string> =>
  fc
    .tuple(anyUser(), fc.nat(1000))
    .map(([user, seed]) =>
      JSON.stringify(
        Object.fromEntries(
          Object.entries(user).map(([name, value]) => [
            name,
            name === 'attributes' ? value : shuffle(value, seed),
          ]),
        ),
      ),
    );

const marks = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '<',
  '>',
  '&',
  ' ',
  '\n',
  '\0',
  '\u001f',
  'é',
  '\uffff',
];
/** What is put into a text. */
const strokes = [
  ...marks,
  '\\u003c',
  '\\n',
  '\\r',
  '\\"',
  '""',
  '{}',
  '[]',
  '"a":',
  'null',
  'true',
  'false',
  '0',
  '-1e3',
];

/** A stored text that somebody has damaged in up to three places; some still are JSON. */
export function editedText(): fc.Arbitrary<string> {
  const stroke = fc.tuple(fc.nat(), fc.constantFrom(...strokes), fc.nat(3));
  return fc.tuple(storedText(), fc.array(stroke, { minLength: 1, maxLength: 3 })).map(([text, changes]) => {
    let edited = text;
    for (const [place, put, taken] of changes) {
      const at = place % (edited.length + 1);
      edited = edited.slice(0, at) + put + edited.slice(at + taken);
    }
    return edited;
  });
}

/** A user with any values in any places, as canonical JSON. */
export function strangeText(): fc.Arbitrary<string> {
  const names = [
    ...Object.keys(User.properties),
    'value',
    'type',
    'givenName',
    'manager',
    'a',
    '10',
    '2',
    '__proto__',
  ];
  const { any } = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.oneof(anyText(), fc.constantFrom(...marks), fc.boolean(), fc.double(), fc.constant(null)),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.array(fc.tuple(fc.constantFrom(...names), tie('any')), { maxLength: 5 }).map(Object.fromEntries),
    ),
  }));
  const members = fc.array(fc.tuple(fc.constantFrom(...names), any), { maxLength: 5 });
  return fc
    .tuple(anyUser(), members)
    .map(([user, more]) => JSON.stringify({ ...user, ...Object.fromEntries(more) }));
}

/** Lists of texts that aren't one user each, but as many users, lines or both as there are texts. @param one as canonical JSON, as `other` */
export const tornTexts = (one: string, other: string): readonly (readonly string[])[] => [
  [`${one}\n${other}`],
  [`${one}\n${other}`, ''],
  ['', `${one}\n${other}`],
  [one.slice(0, 20), one.slice(20)],
  [one, '', other],
  [`${one}\n${other}`, '7', other],
  [`${one}\n`, other],
  [one, `${other}\n`],
  [`\n${one}`, `${other}\n`, one],
  [one, one.replace('{', '{\n'), other],
  [''],
];
