/** The request and response documents of /users, for its routes and for the contract. */
import { maxUserBytes, User, UserInput } from '../../../domain/kinds/user/user.ts';
import type { Naming } from '../../formats/core/format.ts';
import type { BodyType, DocumentType } from '../../http/core/api.ts';
import { exampleId } from '../resources/routes.ts';

export const userNaming: Naming = { one: 'user', many: 'users', namespace: 'urn:user-management:1' };

const exampleInput: UserInput = {
  userName: 'ada',
  externalId: 'hr-1815',
  name: { familyName: 'Lovelace', givenName: 'Ada' },
  displayName: 'Ada Lovelace',
  profileUrl: 'https://people.example.com/ada',
  preferredLanguage: 'en-GB',
  timezone: 'Europe/London',
  active: true,
  emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
  entitlements: [{ value: 'engine-room', display: 'Engine room' }],
  roles: ['engineer'],
  enterprise: {
    employeeNumber: '1815',
    department: 'Analytical engines',
    manager: { value: '019b7c5a-3f6e-7b21-9d0c-5a7e8f902431', displayName: 'Charles Babbage' },
  },
  attributes: { floor: '2' },
};

const example: User = {
  id: exampleId,
  ...exampleInput,
  active: true,
  meta: {
    created: '2026-01-02T03:04:05.678Z',
    lastModified: '2026-01-02T03:04:05.678Z',
    version: 'PyVbq3y8nqHSLmyZVxkN3Q',
  },
};

export const userDocument: DocumentType = { name: 'User', schema: User, naming: userNaming, example };

export const userList: DocumentType = {
  ...userDocument,
  name: 'Users',
  isList: true,
  hasTotal: true,
  description: 'A list of users, in the order that was asked for; else in that of their ids.',
};

const beyond =
  'Rules beyond this schema: RFC 8265 (UsernameCaseMapped) limits the characters of `userName`, at most one item of a list is `primary`, ' +
  `no role stands twice, and a whole user takes at most ${maxUserBytes} bytes as JSON.\n\n` +
  'The service also accepts `null`, or an empty text, list or object, in place of any optional value or list item';

/** Members that only the service sets. */
const readOnly = Object.entries(User.properties).flatMap(([name, member]) =>
  'readOnly' in member && member.readOnly === true ? [name] : [],
);

const input = { schema: UserInput, naming: userNaming, ignores: readOnly };

export const userInput: BodyType = {
  ...input,
  name: 'UserInput',
  description: `A user as a client sends it. ${beyond}. Each means the same as leaving the value out.`,
  kind: 'whole',
  // The example id of the paths, so that the requests on the documentation page find the user that this one creates.
  example: { id: exampleId, ...exampleInput },
};

export const userPatch: BodyType = {
  ...input,
  name: 'UserPatch',
  description: `A JSON Merge Patch (RFC 7396). The members that it names are changed; all others stay. An empty text or list removes the member, as \`null\` does. ${beyond}.`,
  kind: 'patch',
  // An empty string removes a member in both formats; null does so in JSON only.
  example: { title: 'Countess', nickName: '' },
};
