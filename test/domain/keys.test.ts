import { expect } from 'chai';

import {
  compareKeyRules,
  joinKey,
  makeSameKeys,
  parseKeyRules,
  printKeyRules,
} from '../../src/domain/find/keys.ts';
import { userKind } from '../../src/domain/kinds/user/kind.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { aUser } from '../support/a-user.ts';
import { filterNames, filters, makeKeys, searchText, sortKeys } from '../support/kinds.ts';

describe('The keys of a user', () => {
  it('are the mapped name, those of each filter, the search text, and those of each sort', () => {
    const user = aUser({
      userName: 'ＡDA',
      externalId: 'x',
      emails: [{ value: 'A@example.org' }, { value: 'a@EXAMPLE.org' }, { value: 'b@example.org' }],
      roles: ['x', 'X'],
      userType: 'Ñandú',
      title: 'Søfarer',
      addresses: [{ locality: 'Ålborg' }, { region: 'Jylland' }, { locality: 'ÅLBORG' }],
      enterprise: {
        ...{ department: 'Søn & Co.', manager: { value: '0B', displayName: 'Ada' } },
        ...{ costCenter: 'K-7', employeeNumber: '7A' },
      },
    });
    expect(makeKeys(user)).to.deep.equal({
      name: 'ada',
      filters: [
        ['userName', 'ada'],
        ['externalId', 'x'],
        ['email', 'a@example.org'],
        ['email', 'b@example.org'],
        ['active', 'true'],
        ['role', 'x'],
        ['role', 'X'],
        ['department', 'son & co.'],
        ['userType', 'nandu'],
        ['title', 'sofarer'],
        ['costCenter', 'k-7'],
        ['city', 'alborg'],
        ['employeeNumber', '7a'],
        ['manager', '0b'],
      ],
      search: searchText(user),
      sorts: sortKeys(user),
    });
  });
  it('lack a department or user type that folds to nothing', () => {
    const user = aUser({ userType: '\u0301', enterprise: { department: '\u0301' } });
    const names = makeKeys(user).filters.map(([name]) => name);
    expect(names).to.deep.equal(['userName', 'active']);
    expect(filters.department?.key('\u0301')).to.equal(undefined);
  });
  it('are distinct as joined texts, because no filter has a colon in its name', () => {
    for (const name of filterNames) expect(name).not.to.include(':');
    expect(joinKey(['role', 'a:b'])).to.equal('role:a:b');
  });
  it('are missing for an unreadable user, whose name is unique and invalid', () => {
    const damaged = (id: string, text = '') => userKind.makeKeysOf(id, new Stored<User>(text));
    expect(damaged('1', '{"emails":7}')).to.deep.equal({
      name: '\u00001',
      filters: [],
      search: '',
      sorts: new Map(),
    });
    expect(damaged('2').name).not.to.equal(damaged('1').name);
    const sound = aUser();
    expect(userKind.makeKeysOf(sound.id, Stored.of(sound))).to.deep.equal(makeKeys(sound));
  });
});

describe('Keys that are found in a store', () => {
  const { keyRules } = userKind;
  const { mapping, indexes } = keyRules;
  const standings = [
    ['current', 'are what this release made', { mapping, indexes }],
    [
      'current',
      'were made for the same filters in another order',
      { mapping, indexes: indexes.toReversed() },
    ],
    ['usable', 'were made for more filters', { mapping, indexes: ['more', ...indexes] }],
    ['usable', 'were unique under one of the filters', { mapping, indexes: [...indexes, 'unique.email'] }],
    ['outdated', 'were made for fewer filters', { mapping, indexes: indexes.slice(1) }],
    ['outdated', 'were made for other filters', { mapping, indexes: ['other', ...indexes.slice(1)] }],
    ['outdated', 'are what an earlier mapping of names made', { mapping: mapping - 1, indexes }],
    ['newer', 'are what a later mapping of names made', { mapping: mapping + 1, indexes }],
    [
      'newer',
      'are what a later mapping of names made, for fewer filters',
      { mapping: mapping + 1, indexes: [] },
    ],
  ] as const;
  for (const [standing, what, rules] of standings) {
    it(`are ${standing} when they ${what}`, () => {
      expect(compareKeyRules(rules, keyRules)).to.equal(standing);
      expect(compareKeyRules(parseKeyRules(printKeyRules(rules)), keyRules)).to.equal(standing);
    });
  }
  it('are outdated when a filter has become unique, or has another number in its name', () => {
    const ours = (...more: string[]) => ({ mapping, indexes: [...indexes, ...more] });
    expect(compareKeyRules(ours(), ours('unique.email'))).to.equal('outdated');
    expect(compareKeyRules(ours('attributes.2'), ours('attributes.1'))).to.equal('outdated');
    expect(compareKeyRules(ours('unique.attributes.2'), ours('unique.attributes.1'))).to.equal('outdated');
  });
  it('stay when only the uniqueness of a filter is new or gone', () => {
    const printed = (...more: string[]) => printKeyRules({ mapping, indexes: [...indexes, ...more] });
    expect(makeSameKeys(printed(), printed('unique.email', 'unique.a.b'))).to.equal(true);
    expect(makeSameKeys(printed('unique.a'), printed('unique.b'))).to.equal(true);
    expect(makeSameKeys(printed('a', 'unique.a'), printed('unique.a'))).to.equal(false);
    expect(makeSameKeys(`${printed('unique.a')} 500`, printed())).to.equal(false);
  });
  it('are outdated when nothing readable says what made them', () => {
    for (const text of ['', 'x', `${mapping}`, 'userName', `x ${indexes.join()}`])
      expect(compareKeyRules(parseKeyRules(text), keyRules), text).to.equal('outdated');
  });
  it('have rules in the same notation as those of every release', () => {
    expect(printKeyRules({ mapping: 1, indexes: ['userName', 'active'] })).to.equal('1 active,userName');
  });
});
