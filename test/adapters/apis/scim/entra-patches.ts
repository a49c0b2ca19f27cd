/** Every PATCH that Microsoft Entra ID is known to send, one after the other to the same user, and what the user is after each. */
import { entra } from './entra-exchanges.ts';
import { core, type Exchange, enterprise, patchBody, refusalAnswer, userAnswer } from './exchanges.ts';

type Members = Readonly<Record<string, unknown>>;

interface Step {
  readonly title: string;
  readonly operations: readonly Members[];
  /** What it makes of the user, beside what is there; undefined for what is gone. */
  readonly makes?: Members;
  /** Words of the refusal, and its keyword: then nothing is changed. */
  readonly refused?: readonly [words: string, scimType: string];
}

const add = (path: string, value: unknown): Members => ({ op: 'Add', path, value });
const replace = (path: string, value: unknown): Members => ({ op: 'Replace', path, value });
const remove = (path: string): Members => ({ op: 'Remove', path });

/** A path below the extension, as Entra ID writes it. */
const ext = (name: string): string => `${enterprise}:${name}`;
const reference = (who: string): Members => ({
  value: `{{id ${who}}}`,
  $ref: `{{url}}/scim/v2/Users/{{id ${who}}}`,
});

/** Erin, before the first. */
const erin = {
  externalId: '6c75de36-30fa-4d2d-a196-6bdcdb6b6539',
  userName: 'erin@entra.example',
  active: true,
  displayName: 'Erin',
  emails: [{ primary: true, type: 'work', value: 'erin@entra.example' }],
  name: { familyName: 'Example', givenName: 'Erin' },
};

const texts: readonly Step[] = [
  {
    title: 'adds a text',
    operations: [add('nickName', 'Babs')],
    makes: { nickName: 'Babs' },
  },
  {
    title: 'replaces many attributes, an operation each',
    operations: [
      replace('displayName', 'Pvlo'),
      replace('emails[type eq "work"].value', 'TestBcwqnm@entra.example'),
      replace('name.givenName', 'Gtfd'),
      replace('name.familyName', 'Pkqf'),
      replace('externalId', 'Eqpj'),
      replace(ext('employeeNumber'), 'Eqpj'),
    ],
    makes: {
      displayName: 'Pvlo',
      emails: [{ primary: true, type: 'work', value: 'TestBcwqnm@entra.example' }],
      name: { familyName: 'Pkqf', givenName: 'Gtfd' },
      externalId: 'Eqpj',
      [enterprise]: { employeeNumber: 'Eqpj' },
    },
  },
  {
    title: 'replaces many at once without a path, with dotted names and a URN, as it does with its flag',
    operations: [
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'TestMhvaes@entra.example' },
      {
        op: 'replace',
        value: {
          displayName: 'Bjfe',
          'name.givenName': 'Kkom',
          'name.familyName': 'Unua',
          [ext('employeeNumber')]: 'Aklq',
        },
      },
    ],
    makes: {
      displayName: 'Bjfe',
      emails: [{ primary: true, type: 'work', value: 'TestMhvaes@entra.example' }],
      name: { familyName: 'Unua', givenName: 'Kkom' },
      [enterprise]: { employeeNumber: 'Aklq' },
    },
  },
  {
    title: 'adds without a path what has a URN in front, and what stands below one',
    operations: [
      {
        op: 'Add',
        value: {
          [ext('department')]: 'Retail',
          [`${core}:name.middleName`]: 'R.',
          [enterprise]: { costCenter: '4130' },
        },
      },
    ],
    makes: {
      name: { familyName: 'Unua', givenName: 'Kkom', middleName: 'R.' },
      [enterprise]: { employeeNumber: 'Aklq', costCenter: '4130', department: 'Retail' },
    },
  },
  {
    title: 'sends a text in a list with an empty reference, as it once did',
    operations: [replace('displayName', [{ $ref: null, value: 'Erin Example' }])],
    makes: { displayName: 'Erin Example' },
  },
];

const workAddress = {
  formatted: '18/2111',
  streetAddress: '18 Main Street',
  locality: 'Dublin',
  region: 'L',
  postalCode: 'D02',
  country: 'IE',
  type: 'work',
};
const others = [
  { value: 'erin@home.example', display: 'At home', type: 'home', primary: true },
  { value: 'erin@other.example', type: 'other' },
];

const lists: readonly Step[] = [
  {
    title: 'adds a phone number of a type that there is none of',
    operations: [add('phoneNumbers[type eq "mobile"].value', '+353 87 0000000')],
    makes: { phoneNumbers: [{ value: '+353 87 0000000', type: 'mobile' }] },
  },
  {
    title: 'replaces a phone number of a type that there is none of',
    operations: [replace('phoneNumbers[type eq "work"].value', '+353 1 0000000')],
    makes: {
      phoneNumbers: [
        { value: '+353 87 0000000', type: 'mobile' },
        { value: '+353 1 0000000', type: 'work' },
      ],
    },
  },
  {
    title: 'makes an address of a type that there is none of, a line at a time',
    operations: [
      add('addresses[type eq "work"].formatted', '18/2111'),
      add('addresses[type eq "work"].streetAddress', '18 Main Street'),
      replace('addresses[type eq "work"].locality', 'Dublin'),
      add('addresses[type eq "work"].region', 'L'),
      add('addresses[type eq "work"].postalCode', 'D02'),
      add('addresses[type eq "work"].country', 'IE'),
    ],
    makes: { addresses: [workAddress] },
  },
  {
    title: 'makes other addresses for emails, one of them the primary one, as its validator does',
    operations: [
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'erin@work.example' },
      { op: 'add', path: 'emails[type eq "home"].value', value: 'erin@home.example' },
      { op: 'add', path: 'emails[type eq "other"].value', value: 'erin@other.example' },
      { op: 'replace', path: 'emails[type eq "home"].display', value: 'At home' },
      { op: 'add', path: 'emails[type eq "work"].primary', value: false },
      { op: 'replace', path: 'emails[type eq "home"].primary', value: true },
    ],
    makes: { emails: [{ value: 'erin@work.example', type: 'work', primary: false }, ...others] },
  },
  {
    title: 'makes one the primary address by a text, which takes that from another',
    operations: [replace('emails[type eq "work"].primary', 'True')],
    makes: {
      emails: [
        { value: 'erin@work.example', type: 'work', primary: true },
        { ...others[0], primary: false },
        { value: 'erin@other.example', type: 'other' },
      ],
    },
  },
  {
    title: 'is told that the name of a country is none of two letters',
    operations: [replace('addresses[type eq "work"].country', 'Ireland'), replace('active', 'False')],
    refused: ['addresses[0].country', 'invalidValue'],
  },
];

const complex = {
  primary: 'False',
  type: 'WindowsAzureActiveDirectoryRole',
};
const roleAsJson = '{"id":"06b07648-ecfe-589f-9d2f-6325724a46ee","value":"25","displayName":"Role1234"}';
const work = { employeeNumber: 'Aklq', costCenter: '4130', department: 'Retail' };

const rolesAndManagers: readonly Step[] = [
  {
    title: 'adds roles with all that it knows of them',
    operations: [add('roles', [{ ...complex, display: 'Admin', value: 'Admin' }])],
    makes: { roles: [{ value: 'Admin' }] },
  },
  {
    title: 'adds a role as JSON in a text, as it once did',
    operations: [add('roles', [{ value: '{"id":"06b0","value":"25","displayName":"R"}' }])],
    makes: { roles: [{ value: 'Admin' }, { value: '{"id":"06b0","value":"25","displayName":"R"}' }] },
  },
  {
    title: 'is told that JSON in a text is too long for a role',
    operations: [add('roles', [{ value: roleAsJson }])],
    refused: ['roles[2]', 'invalidValue'],
  },
  {
    title: 'replaces the roles by those that are left',
    operations: [replace('roles', [{ ...complex, display: 'User', value: 'User' }])],
    makes: { roles: [{ value: 'User' }] },
  },
  {
    title: 'is told that no role is the primary one, where it would change that one alone',
    operations: [add('roles[primary eq "True"].value', 'Owner')],
    refused: ['no such attribute', 'invalidPath'],
  },
  {
    title: 'replaces the roles by none',
    operations: [replace('roles', [])],
    makes: { roles: undefined },
  },
  {
    title: 'adds a manager as a bare id',
    operations: [add(ext('manager'), '{{id frank}}')],
    makes: { [enterprise]: { ...work, manager: reference('frank') } },
  },
  {
    title: 'replaces the manager by another, as a bare id',
    operations: [replace(ext('manager'), '{{id grete}}')],
    makes: { [enterprise]: { ...work, manager: reference('grete') } },
  },
  {
    title: 'removes the manager by an empty text',
    operations: [replace(ext('manager'), '')],
    makes: { [enterprise]: work },
  },
  {
    title: 'adds a manager as an object',
    operations: [add(ext('manager'), { value: '{{id frank}}' })],
    makes: { [enterprise]: { ...work, manager: reference('frank') } },
  },
  {
    title: 'adds a manager at the path of the id',
    operations: [replace(ext('manager.value'), '{{id grete}}')],
    makes: { [enterprise]: { ...work, manager: reference('grete') } },
  },
  {
    title: 'removes the manager',
    operations: [remove(ext('manager'))],
    makes: { [enterprise]: work },
  },
];

const removals: readonly Step[] = [
  {
    title: 'empties attributes by empty texts, one of which is empty already, as its validator does',
    operations: [replace('nickName', ''), replace('title', ''), replace(ext('costCenter'), '')],
    makes: { nickName: undefined, [enterprise]: { employeeNumber: 'Aklq', department: 'Retail' } },
  },
  {
    title: 'empties attributes by null',
    operations: [replace('title', null), replace('name.middleName', null), replace(ext('department'), null)],
    makes: { name: { familyName: 'Unua', givenName: 'Kkom' }, [enterprise]: { employeeNumber: 'Aklq' } },
  },
  {
    title: 'removes values from lists, and a whole entry',
    operations: [
      remove('phoneNumbers[type eq "mobile"].value'),
      remove('emails[type eq "other"]'),
      remove('addresses[type eq "work"].formatted'),
      remove(ext('employeeNumber')),
    ],
    makes: {
      phoneNumbers: [{ value: '+353 1 0000000', type: 'work' }],
      emails: [
        { value: 'erin@work.example', type: 'work', primary: true },
        { ...others[0], primary: false },
      ],
      addresses: [{ ...workAddress, formatted: undefined }],
      [enterprise]: undefined,
    },
  },
  {
    title: 'disables the user by a text, without a path, and under the URN',
    operations: [{ op: 'REPLACE', value: { [`${core}:active`]: 'FALSE' } }],
    makes: { active: false },
  },
];

const everyStep: readonly Step[] = [...texts, ...lists, ...rolesAndManagers, ...removals];

const path = '/Users/{{id erin}}';

const made = (who: string, members: Members): Exchange =>
  entra(
    `makes ${who}`,
    { method: 'POST', path: '/Users', body: { schemas: [core, enterprise], ...members } },
    userAnswer(201, who, 1, members),
  );

/** Without what is undefined, at any depth. */
const plain = (members: Members): Members => JSON.parse(JSON.stringify(members)) as Members;

function* play(): Generator<Exchange> {
  yield made('frank', { userName: 'frank@entra.example', active: true });
  yield made('grete', { userName: 'grete@entra.example', active: true });
  yield made('erin', erin);
  let members: Members = erin;
  let count = 1;
  for (const { title, operations, makes, refused } of everyStep) {
    const sent = { method: 'PATCH', path, body: patchBody(...operations) } as const;
    if (refused === undefined) {
      members = plain({ ...members, ...makes });
      count += 1;
      yield entra(title, sent, userAnswer(200, 'erin', count, members));
    } else {
      const [words, scimType] = refused;
      yield entra(title, sent, refusalAnswer(400, words, scimType));
      yield entra(
        `reads the user unchanged: it ${title}`,
        { method: 'GET', path },
        userAnswer(200, 'erin', count, members),
      );
    }
  }
  yield entra(
    'reads the user as it was left',
    { method: 'GET', path },
    userAnswer(200, 'erin', count, members),
  );
}

export const entraPatches: readonly Exchange[] = [...play()];
