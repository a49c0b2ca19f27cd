/** PATCHes of roles and managers, and those that take something away. They follow those of values. */

import { add, ext, reference, remove, replace, type Step } from './entra-patch-steps.ts';
import { others, workAddress } from './entra-patches-of-values.ts';
import { core, enterprise } from './exchanges.ts';

const complex = {
  primary: 'False',
  type: 'WindowsAzureActiveDirectoryRole',
};
const roleAsJson = '{"id":"5d1c7a52-90ab-4c1f-8a35-0c2b7be1f0aa","value":"25","displayName":"Approver"}';
const work = { employeeNumber: '007002', costCenter: '4130', department: 'Retail' };

export const referenceSteps: readonly Step[] = [
  {
    title: 'adds roles with all that it knows of them',
    operations: [add('roles', [{ ...complex, display: 'Admin', value: 'Admin' }])],
    makes: { roles: [{ value: 'Admin' }] },
  },
  {
    title: 'adds a role as JSON in a text, of which the value is kept',
    operations: [add('roles', [{ value: roleAsJson }])],
    makes: { roles: [{ value: 'Admin' }, { value: '25' }] },
  },
  {
    title: 'removes a role as JSON in a text',
    operations: [{ op: 'Remove', path: 'roles', value: [{ value: roleAsJson }] }],
    makes: { roles: [{ value: 'Admin' }] },
  },
  {
    title: 'replaces the roles by those that are left',
    operations: [replace('roles', [{ ...complex, display: 'User', value: 'User' }])],
    makes: { roles: [{ value: 'User' }] },
  },
  {
    title: 'changes the only role as the primary one, so that the one before is gone',
    operations: [add('roles[primary eq "True"].value', 'Owner')],
    makes: { roles: [{ value: 'Owner' }] },
  },
  {
    title: 'changes it by JSON in a text, and says what is not kept',
    operations: [
      replace('roles[primary eq "True"].value', roleAsJson),
      add('roles[primary eq "True"].type', complex.type),
      add('roles[primary eq "True"].display', 'Approver'),
    ],
    makes: { roles: [{ value: '25' }] },
  },
  {
    title: 'is told that it names no role where there are several',
    operations: [add('roles', [{ value: 'Admin' }]), replace('roles[primary eq "True"].value', 'Owner')],
    refused: ['keeps only the values of roles, and there are 2', 'noTarget'],
  },
  {
    title: 'removes the only role as the primary one, and sets another',
    operations: [
      remove('roles[primary eq "True"]'),
      { op: 'Add', value: { 'roles[primary eq "True"].value': 'User' } },
    ],
    makes: { roles: [{ value: 'User' }] },
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
    title: 'adds a manager as an object, with a name and a reference, which is not kept',
    operations: [
      add(ext('manager'), { value: '{{id frank}}', $ref: '../Users/{{id frank}}', displayName: 'Frank' }),
    ],
    makes: { [enterprise]: { ...work, manager: { ...reference('frank'), displayName: 'Frank' } } },
  },
  {
    title: 'replaces the manager by a bare id, to whom the name before does not belong',
    operations: [replace(ext('manager'), '{{id grete}}')],
    makes: { [enterprise]: { ...work, manager: reference('grete') } },
  },
  {
    title: 'replaces the manager at the path of the id',
    operations: [replace(ext('manager.value'), '{{id frank}}')],
    makes: { [enterprise]: { ...work, manager: reference('frank') } },
  },
  {
    title: 'removes the manager',
    operations: [remove(ext('manager'))],
    makes: { [enterprise]: work },
  },
];

export const removalSteps: readonly Step[] = [
  {
    title: 'empties attributes by empty texts, one of which is empty already, as its validator does',
    operations: [replace('nickName', ''), replace('title', ''), replace(ext('costCenter'), '')],
    makes: { nickName: undefined, [enterprise]: { employeeNumber: '007002', department: 'Retail' } },
  },
  {
    title: 'empties attributes by null',
    operations: [replace('title', null), replace('name.middleName', null), replace(ext('department'), null)],
    makes: { name: { familyName: 'Byrne', givenName: 'Erin' }, [enterprise]: { employeeNumber: '007002' } },
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
