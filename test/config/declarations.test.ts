import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import JSON5 from 'json5';
import { readDeclarations } from '../../src/config/declarations.ts';
import { SettingsError } from '../../src/config/sources.ts';

describe('A file of declared attributes', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'declarations-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const read = (content: object) => {
    const file = join(folder, 'attributes.json5');
    writeFileSync(file, JSON5.stringify(content));
    return readDeclarations(file);
  };

  const mistakes: readonly (readonly [mistake: string, content: object, line: string])[] = [
    [
      'a type that there is not',
      { badge: { type: 'number' } },
      'attributes.badge.type: must be one of string, boolean',
    ],
    ['no type', { badge: {} }, 'attributes.badge.type: is required'],
    [
      'a member that there is not',
      { badge: { type: 'integer', indexed: true } },
      'attributes.badge.indexed: must not stand here',
    ],
    [
      'a name with a dot',
      { 'a.b': { type: 'integer' } },
      'attributes.a.b: must have a name of up to 64 letters',
    ],
    [
      'the name of a member',
      { UserName: { type: 'string' } },
      'attributes.UserName: has the name of the built-in userName',
    ],
    [
      'the name of a parameter',
      { sort: { type: 'string' } },
      'attributes.sort: has the name of the built-in sort',
    ],
    [
      'names that differ by case only',
      { badge: { type: 'string' }, Badge: { type: 'string' } },
      'attributes.Badge: has the name of badge',
    ],
    [
      'a pattern that is none',
      { badge: { type: 'string', pattern: '(' } },
      'attributes.badge.pattern: must be a regular expression',
    ],
    [
      'a pattern that may take very long',
      { badge: { type: 'string', pattern: '^(a+)+$' } },
      'attributes.badge.pattern: must not repeat a group that has repetitions or alternatives',
    ],
    [
      'limits of another type',
      { badge: { type: 'integer', maxLength: 3 } },
      'attributes.badge.maxLength: is for type string',
    ],
    [
      'a minimum above the maximum',
      { badge: { type: 'integer', minimum: 2, maximum: 1 } },
      'attributes.badge.minimum: must not be above maximum',
    ],
    [
      'an order of lists',
      { badge: { type: 'integer', list: true, sort: true } },
      'attributes.badge.sort: is not for lists',
    ],
    [
      'a count for one value',
      { badge: { type: 'integer', maxItems: 3 } },
      'attributes.badge.maxItems: is for lists',
    ],
    [
      'a label of two attributes',
      { badge: { type: 'integer', label: { en: 'Card' } }, card: { type: 'integer' } },
      'attributes.badge: has the label of card',
    ],
    [
      'one name in SCIM for two',
      { a1: { type: 'integer', scim: 'urn:x:b' }, a2: { type: 'integer', scim: 'urn:x:B' } },
      'attributes.a2: has the scim of a1',
    ],
    [
      'a URN in two spellings',
      { a1: { type: 'integer', scim: 'urn:x:b' }, a2: { type: 'integer', scim: 'urn:X:c' } },
      'attributes.a2.scim: must spell the URN as urn:x',
    ],
    [
      'a place in the standard',
      { a1: { type: 'integer', scim: 'urn:ietf:params:scim:schemas:core:2.0:User:b' } },
      'attributes.a1.scim: must not be in a schema of the standard',
    ],
    [
      'the place in SCIM without an attribute',
      { badge: { type: 'integer', scim: 'urn:x' } },
      'attributes.badge.scim: must be urn:',
    ],
  ];
  for (const [mistake, attributes, line] of mistakes)
    it(`is refused with the name of the attribute: ${mistake}`, () => {
      expect(() => read({ attributes }))
        .to.throw(SettingsError)
        .with.property('message')
        .that.includes(line);
    });

  it('is refused with the name of a group’s attribute, even if users have one with the same name', () => {
    const hired = { hired: { type: 'date' } };
    expect(read({ attributes: hired, groups: hired })).to.have.property('groups');
    const wrong = { memberCount: { type: 'integer' }, userName: { type: 'string', pattern: '(' } };
    expect(() => read({ attributes: hired, groups: wrong }))
      .to.throw(SettingsError)
      .with.property('message')
      .that.includes('groups.memberCount: has the name of the built-in memberCount')
      .and.includes('groups.userName.pattern: must be a regular expression')
      .and.not.includes('groups.userName: ');
    expect(() => read({ groups: { size: {} } })).to.throw(SettingsError, 'groups.size.type: is required');
    const [one, other] = ['urn:x:1:A:hired', 'urn:X:1:a:size'].map((scim) => ({ type: 'date', scim }));
    expect(() => read({ attributes: { hired: one }, groups: { size: other } }))
      .to.throw(SettingsError)
      .with.property('message')
      .that.includes('groups.size.scim: must not have a URN of attributes of users');
  });

  it('is refused as a whole when it is not an object or has an unknown member', () => {
    expect(() => read([])).to.throw(SettingsError, 'must be an object');
    expect(() => read({ attribute: {} })).to.throw(SettingsError, 'attribute: must not stand here');
    expect(() => readDeclarations(join(folder, 'none.json5'))).to.throw(SettingsError, 'none.json5');
  });

  it('may be left out, or declare nothing', () => {
    expect(readDeclarations('')).to.equal(undefined);
    expect(read({})).to.deep.equal({});
  });
});
