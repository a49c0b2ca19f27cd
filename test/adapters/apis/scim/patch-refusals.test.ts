import { expect } from 'chai';
import { runToEnd } from '../../../../src/adapters/formats/port/format.ts';
import { readPatch } from '../../../support/scim-users.ts';
import { core, enterprise, own, patchOf, refused, type Sent } from './patched.ts';
import { refusal } from './refused.ts';

const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const first = (said: string): string => said.replace(': ', ': Operations[0]: ');

const set = (path: string, value: unknown): Sent => ({ op: 'replace', path, value });
const remove = (path: string): Sent => ({ op: 'remove', path });
const passwords = 'invalidValue: This service keeps no passwords: let the identity provider send none.';

const operations: Record<string, Record<string, readonly [unknown, string]>> = {
  'mutability, when it changes what can not be changed': {
    'the id': [set('id', 'x'), 'mutability: id is read-only.'],
    'the id, with its URN': [set(`${core}:ID`, 'x'), 'mutability: id is read-only.'],
    meta: [remove('meta'), 'mutability: meta is read-only.'],
    'a part of meta': [set('meta.version', 'x'), 'mutability: meta.version is read-only.'],
    groups: [{ op: 'add', path: 'Groups', value: ['x'] }, 'mutability: groups is read-only.'],
    'one of the groups': [remove('groups[value eq "x"]'), 'mutability: groups[…] is read-only.'],
    'the userName, by removal': [
      remove('userName'),
      "mutability: userName can't be removed: every user has it.",
    ],
    'active, by removal': [remove('active'), "mutability: active can't be removed: every user has it."],
    'everything, by removal': [remove(core), "mutability: userName can't be removed: every user has it."],
  },
  'noTarget, when there is nothing that it could be about': {
    'a removal without a path': [{ op: 'remove' }, 'noTarget: A remove operation must have a path.'],
    'a removal with an empty path': [remove(''), 'noTarget: A remove operation must have a path.'],
    'a removal with a value and no path': [
      { op: 'remove', value: { title: 'x' } },
      'noTarget: A remove operation must have a path.',
    ],
    'a removal with a filter that finds nothing': [
      remove('emails[type eq "other"]'),
      'noTarget: emails[…]: the filter finds nothing.',
    ],
    'a removal of a sub-attribute with such a filter': [
      remove('emails[type eq "other"].value'),
      'noTarget: emails[…].value: the filter finds nothing.',
    ],
    'a removal from a list that is not there': [
      remove('phoneNumbers[type eq "work"]'),
      'noTarget: phoneNumbers[…]: the filter finds nothing.',
    ],
    ...Object.fromEntries(
      [
        'type ne "work" and type ne "home"',
        'type eq "other" or type eq "x"',
        'type sw "o"',
        'not (type pr)',
        'type eq null',
        'type eq "other" and type eq "x"',
      ].map((filter) => [
        `a filter that finds nothing and does not say what to make: ${filter}`,
        [set(`emails[${filter}].value`, 'a@b.c'), 'noTarget: emails[…].value: the filter finds nothing.'],
      ]),
    ),
    ...Object.fromEntries(
      ['primary eq "True"', 'type eq "x"'].map((filter) => [
        `a role of several by what is not kept: ${filter}`,
        [
          set(`roles[${filter}].value`, 'x'),
          'noTarget: roles[…].value: the service keeps only the values of roles, and there are 2. Let the identity provider send all roles (Entra ID: map AppRoleAssignmentsComplex to roles).',
        ],
      ]),
    ),
    'the removal of the primary role of several': [
      remove('roles[primary eq true]'),
      'noTarget: roles[…]: the service keeps only the values of roles, and there are 2. Let the identity provider send all roles (Entra ID: map AppRoleAssignmentsComplex to roles).',
    ],
    'an item that would not be what the filter asks for': [
      set('emails[value eq "x@y.z"].value', 'a@b.c'),
      'noTarget: emails[…].value: the filter finds nothing.',
    ],
  },
  'invalidPath, when its path is none': {
    'a name with a letter that only Unicode takes for one of ASCII': [
      set('nic\u212aName', 'x'),
      'invalidPath: At character 1: there is no attribute "nic".',
    ],
    'an attribute that there is not': [
      set('shoeSize', '38'),
      'invalidPath: At character 1: there is no attribute "shoeSize".',
    ],
    'a sub-attribute that there is not': [
      set('emails[type eq "work"].colour', 'x'),
      'invalidPath: At character 24: there is no sub-attribute "colour".',
    ],
    'a bracket that is not closed': [
      remove('emails[type eq "work"'),
      'invalidPath: At character 22: and, or, or a closing square bracket is expected.',
    ],
    'a JSON Pointer': [
      set('/name/givenName', 'x'),
      'invalidPath: At character 1: a path has no slashes, as in name.givenName or emails[type eq "work"].value.',
    ],
    'a filter of what is no list': [
      remove('name[familyName eq "x"]'),
      'invalidPath: At character 5: only a list of complex values takes a filter in brackets.',
    ],
    'a name of Object.prototype': [
      set('__proto__.polluted', 'x'),
      'invalidPath: At character 1: there is no attribute "__proto__.polluted".',
    ],
    'its constructor': [
      set('constructor.prototype.polluted', 'x'),
      'invalidPath: At character 1: there is no attribute "constructor.prototype.polluted".',
    ],
    'such a path in place of a name': [
      { op: 'add', value: { 'emails[type eq].value': 'x' } },
      'invalidPath: At character 15: a value is expected.',
    ],
  },
  'invalidValue, when its value is none': {
    'two values of one name': [
      set(`${own}:attributes`, [
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
      ]),
      `invalidValue: ${own}:attributes must not have two values of one name.`,
    ],
    'two values of a name that is there': [
      {
        op: 'add',
        path: `${own}:attributes`,
        value: [
          { name: 'shoeSize', value: '1' },
          { name: 'shoeSize', value: '2' },
        ],
      },
      `invalidValue: ${own}:attributes must not have two values of one name.`,
    ],
    'a password': [set('password', 'secret'), passwords],
    'the removal of a password': [remove(`${core}:PASSWORD`), passwords],
    'a password without a path': [{ op: 'add', value: { title: 'x', password: 'secret' } }, passwords],
    'no value': [{ op: 'add', path: 'title' }, 'invalidValue: value is required.'],
    'neither path nor value': [{ op: 'replace' }, 'invalidValue: value is required.'],
    'a text without a path': [
      { op: 'replace', value: 'x' },
      'invalidValue: Without a path, value must be an object.',
    ],
    'a list without a path': [
      { op: 'replace', value: [{ active: false }] },
      'invalidValue: Without a path, value must be an object.',
    ],
    'no userName': [set('userName', ''), 'invalidValue: userName must have a value: every user has it.'],
    'null for active': [set('active', null), 'invalidValue: active must have a value: every user has it.'],
    'null for active, without a path': [
      { op: 'replace', value: { active: null } },
      'invalidValue: active must have a value: every user has it.',
    ],
    'an empty active': [set('active', ''), 'invalidValue: active must be true or false.'],
    'a text that is no boolean': [set('active', 'no'), 'invalidValue: active must be true or false.'],
    'an object for a boolean': [
      set('active', { Value: false }),
      'invalidValue: active must be true or false.',
    ],
    'two values for one': [set('active', [false, true]), 'invalidValue: active must be true or false.'],
    'two texts for one': [set('title', ['a', 'b']), 'invalidValue: title must be a text.'],
    'a number': [set('title', 1), 'invalidValue: title must be a text.'],
    'an object with more than a value for a text': [
      set('title', { value: 'x', display: 'y' }),
      'invalidValue: title must be a text.',
    ],
    'a text for an object': [set('name', 'x'), 'invalidValue: name must be an object.'],
    'a boolean for a list': [set('emails', true), 'invalidValue: emails[0] must be an object.'],
    'two items for a filter': [
      set('emails[type eq "work"]', [{ value: 'a@b.c' }, { value: 'c@d.e' }]),
      'invalidValue: emails[…] must be an object.',
    ],
    'an extension that is none': [set(enterprise, 'x'), `invalidValue: ${enterprise} must be an object.`],
    'two that are primary': [
      {
        op: 'add',
        path: 'emails',
        value: [
          { value: 'a@b.c', primary: true },
          { value: 'c@d.e', primary: true },
        ],
      },
      'invalidValue: emails must have at most one that is primary.',
    ],
    'a filter that would make two primary': [
      set('emails[value pr].primary', true),
      'invalidValue: emails must have at most one that is primary.',
    ],
    'more items than a list has': [
      { op: 'add', path: 'emails', value: Array.from({ length: 21 }, (_, index) => `a${index}@b.c`) },
      'invalidValue: emails must have at most 20 items.',
    ],
    'so many that with the others they are more than a list has': [
      { op: 'add', path: 'emails', value: Array.from({ length: 19 }, (_, index) => `a${index}@b.c`) },
      'invalidValue: emails must have at most 20 items.',
    ],
    'a removal of what it does not say': [
      { op: 'remove', path: 'roles', value: [{}] },
      'invalidValue: each value to remove must say which one is meant.',
    ],
    'a removal of nothing in a list': [
      { op: 'remove', path: 'roles', value: [null, ''] },
      'invalidValue: roles must say which of them are to go.',
    ],
    'a removal of a role that it does not name': [
      { op: 'remove', path: 'roles', value: [{ display: 'x' }] },
      'invalidValue: roles[0].value is required.',
    ],
  },
  'invalidSyntax, when it is no operation': {
    'no object': ['add', 'invalidSyntax: The operation must be an object.'],
    'an op that there is not': [
      { op: 'move', path: 'title', value: 'x' },
      'invalidSyntax: op must be add, remove or replace.',
    ],
    'no op': [{ path: 'title', value: 'x' }, 'invalidSyntax: op must be add, remove or replace.'],
    'a list of ops': [
      { op: ['add'], path: 'title', value: 'x' },
      'invalidSyntax: op must be add, remove or replace.',
    ],
    'a path that is no text': [
      { op: 'add', path: ['title'], value: 'x' },
      'invalidSyntax: path must be a text.',
    ],
    'a member that there is not': [
      { op: 'replace', pth: 'title', value: {} },
      'invalidSyntax: The operation has no member "pth" (perhaps path).',
    ],
    'a member twice': [
      { op: 'remove', path: 'title', Path: 'emails' },
      'invalidSyntax: path occurs more than once.',
    ],
    'an attribute that there is not, without a path': [
      { op: 'add', value: { shoeSize: 38 } },
      'invalidSyntax: There is no attribute "shoeSize".',
    ],
    'an attribute that every object has': [
      { op: 'add', value: JSON.parse('{"__proto__":{"polluted":"x"}}') },
      'invalidSyntax: There is no attribute "__proto__".',
    ],
    'a name with a letter that only Unicode takes for one of ASCII': [
      { op: 'add', value: { 'nic\u212aName': 'x' } },
      'invalidSyntax: There is no attribute "nic\u212aName" (perhaps nickName).',
    ],
    'a sub-attribute that there is not': [
      set('emails', [{ value: 'a@b.c', constructor: 'x' }]),
      'invalidSyntax: emails[0] has no sub-attribute "constructor".',
    ],
    'an attribute twice': [
      { op: 'replace', value: { active: false, ACTIVE: true } },
      'invalidSyntax: active occurs more than once.',
    ],
    'an attribute twice, once with its URN': [
      { op: 'replace', value: { [`${core}:active`]: false, active: true } },
      'invalidSyntax: active occurs more than once.',
    ],
    'a sub-attribute twice': [
      { op: 'replace', value: { 'name.givenName': 'x', 'Name.GivenName': 'y' } },
      'invalidSyntax: name.givenName occurs more than once.',
    ],
    'a sub-attribute beside its parent': [
      { op: 'replace', value: { name: { familyName: 'x' }, 'name.givenName': 'y' } },
      'invalidSyntax: name is there as a whole and in part.',
    ],
    'a sub-attribute in front of its parent, with its URN': [
      { op: 'add', value: { 'name.givenName': 'y', [`${core.toUpperCase()}:NAME`]: { familyName: 'x' } } },
      'invalidSyntax: name is there as a whole and in part.',
    ],
    'a part of the manager beside the manager, one of them below the URN': [
      { op: 'add', value: { [enterprise]: { manager: '1' }, 'manager.displayName': 'B' } },
      `invalidSyntax: ${enterprise}:manager is there as a whole and in part.`,
    ],
    'an extension by its URN and one of its attributes without it': [
      { op: 'add', value: { [enterprise]: null, Department: 'x' } },
      `invalidSyntax: ${enterprise}:department occurs more than once.`,
    ],
    'some items of a list beside the list': [
      { op: 'add', value: { emails: [{ value: 'a@b.c' }], 'emails[type eq "work"].value': 'd@e.f' } },
      'invalidSyntax: emails is there as a whole and in part.',
    ],
    'a sub-attribute of all items beside that of some': [
      { op: 'add', value: { 'emails[type eq "work"].value': 'd@e.f', 'Emails.Value': 'a@b.c' } },
      'invalidSyntax: emails.value occurs more than once.',
    ],
    'the same items twice, spelled otherwise': [
      { op: 'add', value: { 'emails[type eq "work"].value': 'x', 'EMAILS[ Type EQ "work" ].value': 'y' } },
      'invalidSyntax: emails[…].value occurs more than once.',
    ],
    'items as a whole and in part': [
      {
        op: 'add',
        value: { 'emails[type eq "work"].value': 'x', 'emails[type eq "work"]': { display: 'y' } },
      },
      'invalidSyntax: emails is there as a whole and in part.',
    ],
  },
};

const bodies: Record<string, readonly [unknown, string]> = {
  'no object': [[], 'invalidSyntax: The body must be an object.'],
  nothing: [undefined, 'invalidSyntax: The body must be an object.'],
  'the schemas of a group': [
    { schemas: [patchUrn, 'urn:ietf:params:scim:schemas:core:2.0:Group'], Operations: [remove('title')] },
    `invalidSyntax: schemas has that of a Group: send ["${patchUrn}"].`,
  ],
  'the schemas of another message': [
    { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: [remove('title')] },
    `invalidSyntax: schemas has that of a BulkRequest: send ["${patchUrn}"].`,
  ],
  'no operations': [
    { schemas: [patchUrn] },
    'invalidSyntax: Operations must be a list of at least one operation.',
  ],
  'an empty list of operations': [
    patchOf([]),
    'invalidSyntax: Operations must be a list of at least one operation.',
  ],
  'an operation that stands in no list': [
    patchOf(remove('title')),
    'invalidSyntax: Operations must be a list of at least one operation.',
  ],
  'too many operations': [
    patchOf(Array.from({ length: 501 }, () => remove('title'))),
    'invalidSyntax: Operations must have at most 500 operations.',
  ],
  'too many attributes without a path': [
    patchOf(Array.from({ length: 251 }, () => ({ op: 'replace', value: { title: 'x', active: true } }))),
    'invalidSyntax: Operations[250]: A PATCH may change 500 attributes.',
  ],
  'too many comparisons in its filters': [
    patchOf(Array.from({ length: 251 }, () => set('emails[type eq "x" or not (value pr)].display', 'x'))),
    'invalidSyntax: Operations[250]: The filters of a PATCH may have 500 comparisons together.',
  ],
  'too many values to look for in lists': [
    patchOf(Array.from({ length: 6 }, () => ({ op: 'remove', path: 'roles', value: Array(100).fill('x') }))),
    'invalidSyntax: Operations[5]: The filters of a PATCH may have 500 comparisons together.',
  ],
  'a member that there is not': [
    { ...patchOf([remove('title')]), displayName: 'x' },
    'invalidSyntax: The body has no member "displayName" (there are schemas, Operations).',
  ],
};

describe('A PATCH is refused', () => {
  for (const [kind, cases] of Object.entries(operations)) {
    describe(`as ${kind}:`, () => {
      for (const [what, [operation, said]] of Object.entries(cases)) {
        it(what, () => {
          expect(refused(operation as Sent)).to.equal(first(said));
        });
      }
    });
  }

  describe('as a whole, with', () => {
    for (const [what, [body, said]] of Object.entries(bodies)) {
      it(what, () => {
        expect(refusal(() => runToEnd(readPatch(body)))).to.equal(said);
      });
    }
  });

  it('with the number of the wrong operation', () => {
    const wrong = remove('emails[type eq "x"]');
    expect(refused(remove('title'), set('title', 'x'), wrong)).to.match(/^noTarget: Operations\[2\]: /);
    expect(refused(remove('title'), set('x', 'x'), wrong)).to.match(/^invalidPath: Operations\[1\]: /);
  });

  it('when a custom attribute would have two values, or none', () => {
    expect(refused(set(`${own}:attributes[name eq "shoeSize"].name`, 'costCenter'))).to.equal(
      `invalidValue: ${own}:attributes must not have two values of one name.`,
    );
    expect(refused(set(`${own}:attributes[name eq "desk"]`, { name: 'desk' }))).to.equal(
      `invalidValue: ${own}:attributes[2].value is required.`,
    );
  });

  it('without quoting any value of the request', () => {
    const secret = 'hunter2';
    for (const operation of [
      set(`emails[value eq "${secret}" or type eq "x"].value`, secret),
      set('active', secret),
      set(`emails[value xx "${secret}"]`, 'x'),
      set('name', { familyName: { value: secret } }),
      set('password', secret),
    ]) {
      expect(refused(operation))
        .to.match(/^\w+: Operations/)
        .and.not.include(secret);
    }
  });
});
