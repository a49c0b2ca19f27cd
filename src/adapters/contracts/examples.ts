/** One user in every format, printed by the codecs that answer requests. */
import type { TObject } from 'typebox';
import { User, UserInput } from '../../domain/user.ts';
import { userNaming } from '../apis/users/naming.ts';
import type { Format, Naming } from '../formats/format.ts';
import { type ProblemCode, ProblemDocument, problemNaming, problems } from '../http/problems.ts';
import type { Urls } from '../http/urls.ts';
import type { Schema } from './names.ts';
import { problemTexts } from './problem-texts.ts';

const exampleInput: UserInput = {
  userName: 'ada',
  externalId: 'hr-1815',
  name: { familyName: 'Lovelace', givenName: 'Ada' },
  displayName: 'Ada Lovelace',
  preferredLanguage: 'en-GB',
  timezone: 'Europe/London',
  active: true,
  emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
  roles: ['engineer'],
  attributes: { costCenter: '42' },
};

const exampleUser: User = {
  ...{ id: '019b7c5a-3f6e-7c3a-8a52-0d6f4e1b9c10', ...exampleInput, active: true },
  meta: {
    created: '2026-01-02T03:04:05.678Z',
    lastModified: '2026-01-02T03:04:05.678Z',
    version: 'PyVbq3y8nqHSLmyZVxkN3Q',
  },
};

/** An empty text removes in both formats; null, which JSON has beside it, in JSON alone. */
const examplePatch = { title: 'Countess', nickName: '' };

/** What OpenAPI shows: JSON as the value it is, anything else as text. */
const shownAs = (format: Format, text: string): unknown => (format.isJson ? JSON.parse(text) : text);

const print = (format: Format, schema: TObject, naming: Naming, value: unknown): unknown =>
  shownAs(format, format.codec<unknown>(schema, naming).print(value));

export const bodyExample = (format: Format, body: 'user' | 'patch'): unknown =>
  print(format, UserInput, userNaming, body === 'user' ? exampleInput : examplePatch);

export function answerExample(format: Format, shows: 'user' | 'users'): unknown {
  const codec = format.codec<User>(User, userNaming);
  if (shows === 'user') return shownAs(format, codec.print(exampleUser));
  const { open, item, close } = codec.list;
  return shownAs(format, open + item(exampleUser) + close);
}

const violations: Partial<Record<ProblemCode, { pointer: string; detail: string }[]>> = {
  'invalid-user': [{ pointer: '/emails/0/value', detail: 'must be an address, local@domain' }],
  'user-name-taken': [{ pointer: '/userName', detail: 'another user has this userName' }],
  'id-taken': [{ pointer: '/id', detail: 'another user has this id' }],
};

export function problemExample(format: Format, code: ProblemCode, url: Urls): Schema {
  const { status, title } = problems[code];
  const errors = violations[code];
  const document = {
    ...{ type: url(`/problems/${code}`), title, status, detail: problemTexts[code].meaning },
    instance: 'urn:uuid:6f0d9d5e-3c3f-4a52-9a39-0f9f9c1c7d11',
    ...(errors === undefined ? {} : { errors }),
  };
  return { summary: title, value: print(format, ProblemDocument, problemNaming, document) };
}
