/** Users with a mistake each, of many kinds. */

/** What a line of a file holds: members, or the text itself. */
type Line = Record<string, unknown> | string;

interface Mistake {
  /** Where it is told to be. */
  readonly pointer: string;
  /** The line of a user who would be right. */
  make(user: { readonly userName: string }): Line;
}

const times = (count: number, make: (at: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, at) => make(at));
const long = (length: number): string => 'x'.repeat(length);
const email = { value: 'a@example.org' };

/** Members that stand beside the name, or in its place. */
const members: readonly (readonly [pointer: string, wrong: Record<string, unknown>])[] = [
  ['/userName', { userName: undefined }],
  ['/userName', { userName: '' }],
  ['/userName', { userName: 5 }],
  ['/userName', { userName: null }],
  ['/userName', { userName: long(129) }],
  ['/userName', { userName: 'a b' }],
  ['/userName', { userName: 'a\u0000' }],
  ['/userName', { userName: ['ada'] }],
  ['/userName', { userName: 'Taken' }],
  ['/id', { id: 'no-uuid' }],
  ['/id', { id: 7 }],
  ['/externalId', { externalId: long(256) }],
  ['/externalId', { externalId: { a: 1 } }],
  ['/name', { name: 'Ada Lovelace' }],
  ['/name/familyName', { name: { familyName: long(129) } }],
  ['/name/surname', { name: { surname: 'Lovelace' } }],
  ['/displayName', { displayName: long(257) }],
  ['/displayName', { displayName: '\uFFFE' }],
  ['/nickName', { nickName: true }],
  ['/title', { title: 1 }],
  ['/userType', { userType: [1] }],
  ['/preferredLanguage', { preferredLanguage: 'en_GB' }],
  ['/locale', { locale: '-' }],
  ['/timezone', { timezone: 'mars and beyond' }],
  ['/active', { active: 'yes' }],
  ['/active', { active: 1 }],
  ['/profileUrl', { profileUrl: 'no address' }],
  ['/emails', { emails: email }],
  ['/emails', { emails: times(21, () => email) }],
  ['/emails', { emails: times(2, () => ({ ...email, primary: true })) }],
  ['/emails/0', { emails: ['a@example.org'] }],
  ['/emails/0/value', { emails: [{ type: 'work' }] }],
  ['/emails/1/value', { emails: [email, { value: 'nobody' }] }],
  ['/emails/0/value', { emails: [{ value: 'max@firma,de' }] }],
  ['/emails/0/primary', { emails: [{ ...email, primary: 'true' }] }],
  ['/emails/0/kind', { emails: [{ ...email, kind: 'work' }] }],
  ['/phoneNumbers/0/value', { phoneNumbers: [{ value: long(65) }] }],
  ['/ims/0', { ims: [7] }],
  ['/photos/0/value', { photos: [{ value: 'no address' }] }],
  ['/addresses/0/country', { addresses: [{ country: 'NLD' }] }],
  ['/addresses/0/postalCode', { addresses: [{ postalCode: 1234 }] }],
  ['/entitlements', { entitlements: times(101, (at) => ({ value: `e${at}` })) }],
  ['/roles', { roles: 'admin' }],
  ['/roles', { roles: ['admin', 'admin'] }],
  ['/roles/0', { roles: [long(65)] }],
  ['/x509Certificates/0/value', { x509Certificates: [{ value: '*' }] }],
  ['/enterprise/manager', { enterprise: { manager: 'grace' } }],
  ['/enterprise/employeeNumber', { enterprise: { employeeNumber: 7 } }],
  ['/attributes/1a', { attributes: { '1a': 'x' } }],
  ['/attributes/a', { attributes: { a: 5 } }],
  [
    '/attributes',
    { attributes: Object.fromEntries(times(65, (at) => [`a${at}`, 'x']) as [string, string][]) },
  ],
  ['/salary', { salary: 1 }],
  ['', { attributes: Object.fromEntries(times(17, (at) => [`a${at}`, long(1000)]) as [string, string][]) }],
];

const lines: readonly (readonly [pointer: string, line: (name: string) => string])[] = [
  ['', (name) => `{"userName":"${name}"`],
  ['', () => 'userName'],
  ['', (name) => `["${name}"]`],
  ['', () => '7'],
  ['', (name) => `{"userName":"${name}"} {}`],
  ['', (name) => `{"userName":"${name}","a":${'['.repeat(40)}${']'.repeat(40)}}`],
  ['/userName', (name) => `{"userName":"${name}","userName":"b"}`],
  ['/__proto__', (name) => `{"userName":"${name}","__proto__":{"active":true}}`],
];

/** The user `taken` is there already. */
export const mistakes: readonly Mistake[] = [
  ...members.map(([pointer, wrong]): Mistake => ({ pointer, make: (user) => ({ ...user, ...wrong }) })),
  ...lines.map(([pointer, line]): Mistake => ({ pointer, make: ({ userName }) => line(userName) })),
];

export const printLine = (line: Line): string => (typeof line === 'string' ? line : JSON.stringify(line));
