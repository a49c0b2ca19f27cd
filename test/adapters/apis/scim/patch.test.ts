import { expect } from 'chai';
import { ada, changes, core, enterprise, home, own, type Sent, work } from './patched.ts';

type Changes = Readonly<Record<string, unknown>>;
type Case = readonly [Sent | readonly Sent[], Changes];

const add = (path: string, value: unknown): Sent => ({ op: 'add', path, value });
const replace = (path: string, value: unknown): Sent => ({ op: 'replace', path, value });
const remove = (path: string, value?: unknown): Sent => ({
  ...{ op: 'remove', path },
  ...(value === undefined ? {} : { value }),
});
const { manager } = ada.enterprise ?? {};
const other = { value: 'a@other.example', type: 'other' };

/** RFC 7644 §3.5.2.1. */
const additions: Record<string, Case> = {
  'sets a value where there is none': [add('nickName', 'A'), { nickName: 'A' }],
  'replaces a single value': [add('title', 'Lady'), { title: 'Lady' }],
  'changes nothing where the value is there': [add('title', 'Countess'), {}],
  'sets the sub-attributes that are given': [
    add('name', { givenName: 'Augusta', middleName: 'Ada' }),
    { name: { familyName: 'Lovelace', givenName: 'Augusta', middleName: 'Ada' } },
  ],
  'sets one sub-attribute': [
    add('name.middleName', 'B'),
    { name: { familyName: 'Lovelace', givenName: 'Ada', middleName: 'B' } },
  ],
  'adds to a list': [add('emails', [other]), { emails: [work, home, other] }],
  'adds one item that stands in no list': [add('emails', other), { emails: [work, home, other] }],
  'adds a bare text to a list': [add('roles', 'clerk'), { roles: ['admin', 'auditor', 'clerk'] }],
  'adds bare texts to a list': [add('roles', ['x', 'y']), { roles: ['admin', 'auditor', 'x', 'y'] }],
  'begins a list': [add('phoneNumbers', [{ value: '1' }]), { phoneNumbers: [{ value: '1' }] }],
  'does not double an item': [add('emails', [home]), {}],
  'does not double an item of which less is said': [add('emails', [{ value: home.value, type: 'home' }]), {}],
  'does not double a role, whatever else is said of it': [add('roles', [{ value: 'admin', type: 'x' }]), {}],
  'says more of an item that is there': [
    add('emails', [{ ...home, primary: true }]),
    {
      emails: [
        { ...work, primary: false },
        { ...home, primary: true },
      ],
    },
  ],
  'makes one item of two with the same value and type': [
    add('emails', [other, { ...other, display: 'O' }]),
    { emails: [work, home, { ...other, display: 'O' }] },
  ],
  'makes one of two addresses that differ in nothing but primary': [
    add('addresses', [
      { locality: 'Paris', primary: true },
      { locality: 'Paris', primary: false },
    ]),
    { addresses: [...(ada.addresses ?? []), { locality: 'Paris', primary: false }] },
  ],
  'adds the same address of another type': [
    add('emails', [{ value: work.value, type: 'other' }]),
    { emails: [work, home, { value: work.value, type: 'other' }] },
  ],
  'adds an empty list as nothing': [add('emails', []), {}],
  'takes from the others what it gives to a new primary one': [
    add('emails', [{ ...other, primary: true }]),
    { emails: [{ ...work, primary: false }, home, { ...other, primary: true }] },
  ],
  'sets a sub-attribute of the items that a filter finds': [
    add('emails[type eq "home"].display', 'H'),
    { emails: [work, { ...home, display: 'H' }] },
  ],
  'sets several sub-attributes of the items that a filter finds': [
    add('emails[type eq "home"]', { display: 'H', primary: true }),
    {
      emails: [
        { ...work, primary: false },
        { ...home, display: 'H', primary: true },
      ],
    },
  ],
  'takes from the others what a filter gives to one': [
    add('emails[type eq "home"].primary', true),
    {
      emails: [
        { ...work, primary: false },
        { ...home, primary: true },
      ],
    },
  ],
  'makes an item from a filter that finds none': [
    add('emails[type eq "other"].value', 'a@other.example'),
    { emails: [work, home, { type: 'other', value: 'a@other.example' }] },
  ],
  'makes an item from a filter with several terms': [
    add('emails[type eq "other" and primary eq true and display eq "O"].value', 'a@other.example'),
    {
      emails: [
        { ...work, primary: false },
        home,
        { type: 'other', primary: true, display: 'O', value: 'a@other.example' },
      ],
    },
  ],
  'makes an item with all that is given': [
    add('addresses[type eq "work"]', { formatted: 'London', country: 'GB' }),
    { addresses: [...(ada.addresses ?? []), { type: 'work', formatted: 'London', country: 'GB' }] },
  ],
  'makes one item of several operations, whichever comes first': [
    [add('phoneNumbers[type eq "fax"].primary', 'True'), add('phoneNumbers[type eq "fax"].value', '1')],
    { phoneNumbers: [{ type: 'fax', primary: true, value: '1' }] },
  ],
  'makes an item where the list is empty': [
    add('phoneNumbers.value', '1'),
    { phoneNumbers: [{ value: '1' }] },
  ],
  'makes no item out of an empty value': [add('emails[type eq "other"].value', ''), {}],
  'sets what an extension has': [
    add(`${enterprise}:division`, 'North'),
    { enterprise: { division: 'North', department: 'Sales', manager } },
  ],
  'sets an attribute of our own by its name': [
    add(`${own}:attributes[name eq "desk"].value`, '7'),
    { attributes: { costCenter: '42', shoeSize: '38', desk: '7' } },
  ],
  'replaces an attribute of our own of the same name': [
    add(`${own}:attributes`, [{ name: 'costCenter', value: '43' }]),
    { attributes: { costCenter: '43', shoeSize: '38' } },
  ],
  'without a path sets each attribute': [
    { op: 'add', value: { title: 'Lady', emails: [other], name: { middleName: 'B' } } },
    {
      name: { familyName: 'Lovelace', givenName: 'Ada', middleName: 'B' },
      title: 'Lady',
      emails: [work, home, other],
    },
  ],
};

/** RFC 7644 §3.5.2.3. */
const replacements: Record<string, Case> = {
  'replaces a single value': [replace('title', 'Lady'), { title: 'Lady' }],
  'sets a value where there is none': [replace('nickName', 'A'), { nickName: 'A' }],
  'leaves the sub-attributes that are not given': [
    replace('name', { givenName: 'Augusta' }),
    { name: { familyName: 'Lovelace', givenName: 'Augusta' } },
  ],
  'replaces a whole list': [replace('emails', [other]), { emails: [other] }],
  'makes one item of two with the same value and type': [
    replace('emails', [other, { ...other, display: 'O' }]),
    { emails: [{ ...other, display: 'O' }] },
  ],
  'makes one of two addresses that differ in nothing but primary': [
    replace('addresses', [
      { locality: 'Paris', primary: true },
      { locality: 'Paris', primary: false },
    ]),
    { addresses: [{ locality: 'Paris', primary: false }] },
  ],
  'keeps items that differ in type, or of which one has none': [
    replace('emails', [other, { value: other.value }, { ...other, type: 'work' }]),
    { emails: [other, { value: other.value }, { ...other, type: 'work' }] },
  ],
  'replaces a whole list by one item that stands in no list': [replace('roles', 'x'), { roles: ['x'] }],
  'empties a list': [replace('roles', []), { roles: undefined }],
  'empties a list with null': [replace('roles', null), { roles: undefined }],
  'sets a sub-attribute of the items that a filter finds': [
    replace('emails[type eq "work"].value', 'new@work.example'),
    { emails: [{ ...work, value: 'new@work.example' }, home] },
  ],
  'sets a sub-attribute of all items that a filter finds': [
    replace('emails[value co "@"].display', 'D'),
    {
      emails: [
        { ...work, display: 'D' },
        { ...home, display: 'D' },
      ],
    },
  ],
  'sets a sub-attribute of all items without a filter': [
    replace('emails.display', 'D'),
    {
      emails: [
        { ...work, display: 'D' },
        { ...home, display: 'D' },
      ],
    },
  ],
  'leaves of the items that a filter finds what is not given': [
    replace('emails[type eq "work"]', { value: 'new@work.example' }),
    { emails: [{ ...work, value: 'new@work.example' }, home] },
  ],
  'makes an item from a filter that finds none': [
    replace('emails[type eq "other"].value', 'a@other.example'),
    { emails: [work, home, { type: 'other', value: 'a@other.example' }] },
  ],
  'lets a filter find items whichever case their texts are in': [
    replace('EMAILS[TYPE EQ "WORK"].Display', 'W'),
    { emails: [{ ...work, display: 'W' }, home] },
  ],
  'takes from the others what it gives to one': [
    replace('emails[type eq "home"].primary', true),
    {
      emails: [
        { ...work, primary: false },
        { ...home, primary: true },
      ],
    },
  ],
  'gives to none what it takes from one': [
    replace('emails[type eq "work"].primary', false),
    { emails: [{ ...work, primary: false }, home] },
  ],
  'takes one object for a list': [
    add('emails', { ...home, value: 'new@home.example' }),
    { emails: [work, home, { ...home, value: 'new@home.example' }] },
  ],
  'takes a language with an underscore': [replace('locale', 'en_US'), { locale: 'en-US' }],
  'ignores what a role has beside its value': [replace('roles[value eq "admin"].display', 'Root'), {}],
  'renames a role': [replace('roles[value eq "admin"].value', 'root'), { roles: ['root', 'auditor'] }],
  'makes one of two roles that become the same': [
    replace('roles[value eq "admin"].value', 'auditor'),
    { roles: ['auditor'] },
  ],
  'removes a value by null': [replace('title', null), { title: undefined }],
  'removes a value by an empty text': [replace('title', ''), { title: undefined }],
  'removes a sub-attribute by null': [
    replace('name', { givenName: null, middleName: '' }),
    { name: { familyName: 'Lovelace' } },
  ],
  'changes nothing by an empty object': [replace('name', {}), {}],
  'removes the item that a filter finds, by an empty address': [
    replace('emails[type eq "home"].value', ''),
    { emails: [work] },
  ],
  'removes the item that a filter finds, by null': [
    replace('emails[type eq "home"]', null),
    { emails: [work] },
  ],
  'removes nothing where a filter finds nothing, by null': [replace('emails[type eq "x"]', null), {}],
  'without a path replaces each attribute': [
    { op: 'replace', value: { title: '', emails: [other], name: { givenName: 'A' } } },
    { name: { familyName: 'Lovelace', givenName: 'A' }, title: undefined, emails: [other] },
  ],
  'removes an extension by null': [
    { op: 'replace', value: { [enterprise]: null } },
    { enterprise: undefined },
  ],
};

/** RFC 7644 §3.5.2.2. */
const removals: Record<string, Case> = {
  'takes a value away': [remove('title'), { title: undefined }],
  'takes away what is not there': [remove('nickName'), {}],
  'takes a sub-attribute away': [remove('name.givenName'), { name: { familyName: 'Lovelace' } }],
  'takes the whole away with its last sub-attribute': [
    [remove('name.givenName'), remove('name.familyName')],
    { name: undefined },
  ],
  'takes a list away': [remove('emails'), { emails: undefined }],
  'takes away the items that a filter finds': [remove('emails[type eq "work"]'), { emails: [home] }],
  'takes a list away with its last item': [
    remove(`emails[value ew ".example" and not (type eq "x")]`),
    { emails: undefined },
  ],
  'takes a sub-attribute of an item away': [
    remove('emails[type eq "home"].display'),
    { emails: [work, { value: home.value, type: 'home' }] },
  ],
  'takes a sub-attribute of all items away': [
    remove('emails.type'),
    {
      emails: [
        { value: work.value, primary: true },
        { value: home.value, display: 'At home' },
      ],
    },
  ],
  'takes an item away with the value that it is nothing without': [
    remove('emails[type eq "home"].value'),
    { emails: [work] },
  ],
  'takes an item away with its last sub-attribute': [
    [
      remove('addresses[type eq "home"].streetAddress'),
      remove('addresses.locality'),
      remove('addresses.type'),
    ],
    { addresses: undefined },
  ],
  'takes a role away': [remove('roles[value eq "admin"]'), { roles: ['auditor'] }],
  'takes a role away by its value': [remove('roles[value eq "admin"].value'), { roles: ['auditor'] }],
  'takes what an extension has away': [remove(`${enterprise}:department`), { enterprise: { manager } }],
  'takes an extension away with its last attribute': [
    [remove(`${enterprise}:department`), remove(`${enterprise}:manager`)],
    { enterprise: undefined },
  ],
  'takes an extension away by its URN': [remove(enterprise), { enterprise: undefined }],
  'takes an attribute of our own away': [
    remove(`${own}:attributes[name eq "costCenter"]`),
    { attributes: { shoeSize: '38' } },
  ],
  'takes all attributes of our own away': [remove(`${own}:attributes`), { attributes: undefined }],
  'takes a manager away with the id': [
    [remove(`${enterprise}:manager.value`), remove(`${enterprise}:manager.displayName`)],
    { enterprise: { department: 'Sales' } },
  ],
  'takes away only those of a list that are listed': [
    remove('roles', [{ value: 'admin' }, { value: 'clerk' }]),
    { roles: ['auditor'] },
  ],
  'takes away only the one that is given': [remove('roles', 'admin'), { roles: ['auditor'] }],
  'takes away those that have all that is said': [
    remove('emails', [
      { type: 'work', value: 'ADA@work.example' },
      { type: 'home', value: 'x@y.z' },
    ]),
    { emails: [home] },
  ],
  'takes nothing away where the list of items to remove is empty': [remove('roles', []), {}],
  'takes a list away where a serializer writes an absent value as null': [
    remove('roles', null),
    { roles: undefined },
  ],
  'ignores a value beside a filter': [
    remove('emails[type eq "work"].value', 'another@work.example'),
    { emails: [home] },
  ],
};

/** See facts about identity providers: each was seen to come from one. */
const habits: Record<string, Case> = {
  'an op in capitals': [{ op: 'ADD', path: 'title', value: 'Lady' }, { title: 'Lady' }],
  Replace: [{ op: 'Replace', path: 'title', value: 'Lady' }, { title: 'Lady' }],
  Remove: [{ op: 'Remove', path: 'title' }, { title: undefined }],
  "Okta's deactivation, without a path": [{ op: 'replace', value: { active: false } }, { active: false }],
  "Entra ID's deactivation": [{ op: 'Replace', path: 'active', value: 'False' }, { active: false }],
  "Entra ID's deactivation by Add": [{ op: 'Add', path: 'active', value: 'False' }, { active: false }],
  "Entra ID's deactivation of old": [
    { op: 'Replace', path: 'active', value: [{ $ref: null, value: 'False' }] },
    { active: false },
  ],
  "Entra ID's values of old": [
    { op: 'Replace', path: 'displayName', value: [{ $ref: null, value: 'User x' }] },
    { displayName: 'User x' },
  ],
  'dotted names and names with a URN, without a path': [
    {
      op: 'Replace',
      value: {
        displayName: 'Bjfe',
        'name.givenName': 'Kkom',
        [`${enterprise}:department`]: 'IT',
        [`${enterprise}:manager.displayName`]: 'B',
        [`${core}:title`]: 'Lady',
        'emails[type eq "work"].value': 'new@work.example',
      },
    },
    {
      name: { familyName: 'Lovelace', givenName: 'Kkom' },
      displayName: 'Bjfe',
      title: 'Lady',
      emails: [{ ...work, value: 'new@work.example' }, home],
      enterprise: { department: 'IT', manager: { ...manager, displayName: 'B' } },
    },
  ],
  'an extension as an object, without a path': [
    { op: 'add', value: { [enterprise]: { department: 'IT', 'manager.displayName': 'B' } } },
    { enterprise: { department: 'IT', manager: { ...manager, displayName: 'B' } } },
  ],
  'attributes of an extension without its URN': [
    [replace('Department', 'IT'), { op: 'add', value: { division: 'North' } }, remove('manager.displayName')],
    { enterprise: { division: 'North', department: 'IT', manager: { value: manager?.value } } },
  ],
  'an extension as the path': [
    add(enterprise.toUpperCase(), { department: 'IT', division: 'North' }),
    { enterprise: { division: 'North', department: 'IT', manager } },
  ],
  'the core schema as the path': [replace(core, { title: 'Lady' }), { title: 'Lady' }],
  'a path with the core URN': [
    replace(`${core}:name.givenName`, 'A'),
    { name: { familyName: 'Lovelace', givenName: 'A' } },
  ],
  'an empty path': [{ op: 'replace', path: '', value: { title: 'Lady' } }, { title: 'Lady' }],
  'members of the message in any case': [
    { OP: 'replace', Path: 'title', VALUE: 'Lady' } as unknown as Sent,
    { title: 'Lady' },
  ],
  'an address of another type, of which each part is set': [
    [
      { op: 'Add', path: 'addresses[type eq "work"].formatted', value: 'London' },
      { op: 'Add', path: 'addresses[type eq "work"].country', value: 'GB' },
    ],
    { addresses: [...(ada.addresses ?? []), { type: 'work', formatted: 'London', country: 'GB' }] },
  ],
  'a phone number of another type': [
    { op: 'Replace', path: 'phoneNumbers[type eq "mobile"].value', value: '1' },
    { phoneNumbers: [{ type: 'mobile', value: '1' }] },
  ],
  'a manager as a bare text, who has not the name of the one before': [
    { op: 'Add', path: `${enterprise}:manager`, value: '26118915' },
    { enterprise: { department: 'Sales', manager: { value: '26118915' } } },
  ],
  'a manager as a list of one': [
    { op: 'Add', path: `${enterprise}:manager`, value: [{ $ref: '../Users/26118915', value: '26118915' }] },
    { enterprise: { department: 'Sales', manager: { ...manager, value: '26118915' } } },
  ],
  'a manager as a bare text in an object without a path': [
    { op: 'Add', value: { [enterprise]: { manager: '26118915' } } },
    { enterprise: { department: 'Sales', manager: { value: '26118915' } } },
  ],
  'no manager, as an empty text': [
    { op: 'Replace', path: `${enterprise}:manager`, value: '' },
    { enterprise: { department: 'Sales' } },
  ],
  'no manager, as an empty text that is added': [
    { op: 'Add', path: `${enterprise}:manager`, value: '' },
    { enterprise: { department: 'Sales' } },
  ],
  'a primary one by a filter with a text': [
    { op: 'Replace', path: 'emails[primary eq "True"].value', value: 'new@work.example' },
    { emails: [{ ...work, value: 'new@work.example' }, home] },
  ],
  'roles with all that a role may have': [
    {
      op: 'Add',
      path: 'roles',
      value: [{ value: 'clerk', display: 'C', type: 'WindowsAzureActiveDirectoryRole', primary: 'False' }],
    },
    { roles: ['admin', 'auditor', 'clerk'] },
  ],
  'what is read-only among others': [
    {
      op: 'replace',
      value: { schemas: [core], id: 'x', meta: {}, groups: ['x'], 'meta.version': '1', title: 'Lady' },
    },
    { title: 'Lady' },
  ],
  'schemas, which follow from the rest': [add('schemas', [enterprise]), {}],
  'an empty password': [{ op: 'replace', value: { password: '' } }, {}],
};

const inOrder: Record<string, Case> = {
  'sees what the one before has done': [
    [add('emails', [other]), remove('emails[type eq "other"]'), replace('title', 'A'), replace('title', 'B')],
    { title: 'B' },
  ],
  'hands the primary one on': [
    [add('emails', [{ ...other, primary: true }]), replace('emails[type eq "home"].primary', true)],
    {
      emails: [
        { ...work, primary: false },
        { ...home, primary: true },
        { ...other, primary: false },
      ],
    },
  ],
};

describe('A PATCH', () => {
  const tables: Record<string, Record<string, Case>> = {
    'that adds': additions,
    'that replaces': replacements,
    'that removes': removals,
    'with several operations, each of which': inOrder,
    'as identity providers send it, with': habits,
  };
  for (const [kind, cases] of Object.entries(tables)) {
    describe(kind, () => {
      for (const [what, [operations, expected]] of Object.entries(cases)) {
        it(what, () => {
          const sent = Array.isArray(operations) ? operations : [operations];
          expect(changes(...(sent as Sent[]))).to.deep.equal(expected);
        });
      }
    });
  }

  for (const spelling of [
    'False',
    'false',
    'FALSE',
    false,
    ['False'],
    [{ value: 'False' }],
    { value: false },
  ]) {
    for (const op of ['add', 'Replace']) {
      it(`with ${op} active ${JSON.stringify(spelling)} activates no user`, () => {
        expect(changes({ op, path: 'active', value: spelling })).to.deep.equal({ active: false });
        expect(changes({ op, value: { Active: spelling } })).to.deep.equal({ active: false });
      });
    }
  }
});
