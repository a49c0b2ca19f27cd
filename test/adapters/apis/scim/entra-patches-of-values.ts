/** PATCHes of texts and of lists of typed values, to a user who has a name and one address for work. */

import { add, ext, replace, type Step } from './entra-patch-steps.ts';
import { core, enterprise } from './exchanges.ts';

export const textSteps: readonly Step[] = [
  {
    title: 'adds a text',
    operations: [add('nickName', 'Rin')],
    makes: { nickName: 'Rin' },
  },
  {
    title: 'replaces many attributes, an operation each',
    operations: [
      replace('displayName', 'Erin A.'),
      replace('emails[type eq "work"].value', 'erin.a@entra.example'),
      replace('name.givenName', 'Erína'),
      replace('name.familyName', 'Ahern'),
      replace('externalId', '0d4f11ab'),
      replace(ext('employeeNumber'), '007001'),
    ],
    makes: {
      displayName: 'Erin A.',
      emails: [{ primary: true, type: 'work', value: 'erin.a@entra.example' }],
      name: { familyName: 'Ahern', givenName: 'Erína' },
      externalId: '0d4f11ab',
      [enterprise]: { employeeNumber: '007001' },
    },
  },
  {
    title: 'replaces many at once without a path, with dotted names and a URN, as it does with its flag',
    operations: [
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'erin.b@entra.example' },
      {
        op: 'replace',
        value: {
          displayName: 'Erin B.',
          'name.givenName': 'Erin',
          'name.familyName': 'Byrne',
          [ext('employeeNumber')]: '007002',
        },
      },
    ],
    makes: {
      displayName: 'Erin B.',
      emails: [{ primary: true, type: 'work', value: 'erin.b@entra.example' }],
      name: { familyName: 'Byrne', givenName: 'Erin' },
      [enterprise]: { employeeNumber: '007002' },
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
      name: { familyName: 'Byrne', givenName: 'Erin', middleName: 'R.' },
      [enterprise]: { employeeNumber: '007002', costCenter: '4130', department: 'Retail' },
    },
  },
  {
    title: 'is told that there is no attribute of a schema of its own',
    operations: [add('urn:ietf:params:scim:schemas:extension:custom:2.0:User:worksiteId', '180')],
    refused: ['custom:2.0:User:worksiteId"', 'invalidPath'],
  },
  {
    title: 'sends a text in a list with an empty reference, as it once did',
    operations: [replace('displayName', [{ $ref: null, value: 'Erin Example' }])],
    makes: { displayName: 'Erin Example' },
  },
];

export const workAddress = {
  formatted: '18/2111',
  streetAddress: '18 Main Street',
  locality: 'Dublin',
  region: 'L',
  postalCode: 'D02',
  country: 'IE',
  type: 'work',
};
export const others = [
  { value: 'erin@home.example', display: 'At home', type: 'home', primary: true },
  { value: 'erin@other.example', type: 'other' },
];

export const listSteps: readonly Step[] = [
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
