import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../../support/runs.ts';
import { readResourceBody, toInput, toResource } from '../../../support/scim-users.ts';
import { anyUser } from '../../../support/users.ts';
import { refusal } from './refused.ts';

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const own = 'urn:user-management:1:User';

type Body = Readonly<Record<string, unknown>>;

const sent = (members: Body): Body => ({ schemas: [core], userName: 'ada', ...members });
const read = (members: Body): Body => toInput(readResourceBody(sent(members)));
const refused = (members: Body): string => refusal(() => toInput(readResourceBody(sent(members))));

/** What is sent beside schemas and userName, and what comes of it. */
const understood: Record<string, readonly [Body, Body]> = {
  'a schema of its own besides': [
    { schemas: [core, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/User'] },
    {},
  ],
  'names in any case of letters': [
    { EMAILS: [{ VALUE: 'a@b.c', Type: 'work' }], Name: { FAMILYNAME: 'L' } },
    { emails: [{ value: 'a@b.c', type: 'work' }], name: { familyName: 'L' } },
  ],
  'an extension below its URN': [
    { [enterprise]: { department: 'Sales' } },
    { enterprise: { department: 'Sales' } },
  ],
  'an extension below its URN in another case of letters': [
    { [enterprise.toUpperCase()]: { DEPARTMENT: 'Sales' } },
    { enterprise: { department: 'Sales' } },
  ],
  'attributes with their URN in front': [
    {
      [`${enterprise}:department`]: 'Sales',
      [`${core}:displayName`]: 'Ada',
      [`${enterprise}:Division`]: 'D',
    },
    { displayName: 'Ada', enterprise: { division: 'D', department: 'Sales' } },
  ],
  'attributes of extensions without their URN': [
    { Department: 'Sales', manager: '26118915', attributes: [{ name: 'a', value: 'b' }] },
    {
      enterprise: { department: 'Sales', manager: { value: '26118915' } },
      attributes: { a: 'b' },
    },
  ],
  'attributes of our own': [
    { [own]: { attributes: [{ name: 'constructor', value: '42' }] } },
    { attributes: { constructor: '42' } },
  ],
  '"True" and "False" where a boolean belongs': [
    { active: 'False', emails: [{ value: 'a@b.c', primary: 'True' }] },
    { active: false, emails: [{ value: 'a@b.c', primary: true }] },
  ],
  'a bare text as a manager': [
    { [`${enterprise}:manager`]: '26118915' },
    { enterprise: { manager: { value: '26118915' } } },
  ],
  'a manager with a reference, which is read-only': [
    { [enterprise]: { manager: { value: '26118915', $ref: '../Users/26118915' } } },
    { enterprise: { manager: { value: '26118915' } } },
  ],
  'bare texts as items of lists': [
    { roles: ['admin'], emails: ['a@b.c'] },
    { roles: ['admin'], emails: [{ value: 'a@b.c' }] },
  ],
  'roles with all that a role may have, of which the value is kept': [
    {
      roles: [
        { value: 'a', display: 'A', type: 'WindowsAzureActiveDirectoryRole', primary: 'True', $ref: 'x' },
        { value: 'a', Type: 'other', id: '1', displayName: 'A' },
      ],
    },
    { roles: ['a'] },
  ],
  "Entra ID's roles as JSON in texts": [
    {
      roles: [
        { primary: 'True', value: '{"id":"18d14569","value":"Admin","displayName":"Administrator"}' },
        '{"value":"Reader"}',
        { value: '{not JSON' },
        { value: '["neither"' },
      ],
    },
    { roles: ['Admin', 'Reader', '{not JSON', '["neither"'] },
  ],
  'JSON in a text that is no role': [{ title: '{"value":"x"}' }, { title: '{"value":"x"}' }],
  'one object in place of a list': [
    { emails: { value: 'a@b.c', type: 'work' }, roles: { value: 'a' }, addresses: { locality: 'L' } },
    { emails: [{ value: 'a@b.c', type: 'work' }], roles: ['a'], addresses: [{ locality: 'L' }] },
  ],
  'no schemas': [{ schemas: undefined }, {}],
  'empty schemas': [{ schemas: [] }, {}],
  'schemas of null': [{ schemas: null }, {}],
  'schemas without that of the user': [{ schemas: [enterprise] }, {}],
  'schemas that are a text': [{ schemas: core }, {}],
  'schemas of a draft': [{ schemas: ['urn:scim:schemas:core:1.0', 'urn:scim:schemas:core:2.0:User'] }, {}],
  'schemas without the type at the end': [{ schemas: ['urn:ietf:params:scim:schemas:core:2.0'] }, {}],
  'an extension below the URN of a draft, with its name for the id of a manager': [
    {
      'urn:scim:schemas:extension:enterprise:1.0': {
        department: 'Sales',
        manager: { managerId: '26118915', displayName: 'Babs' },
      },
    },
    { enterprise: { department: 'Sales', manager: { value: '26118915', displayName: 'Babs' } } },
  ],
  'an extension below its URN without the type at the end': [
    { 'urn:ietf:params:scim:schemas:extension:enterprise:2.0': { department: 'Sales' } },
    { enterprise: { department: 'Sales' } },
  ],
  'attributes with the URN of a draft in front': [
    { 'urn:scim:schemas:core:1.0:title': 'Clerk', 'urn:scim:schemas:extension:enterprise:1.0:Division': 'D' },
    { title: 'Clerk', enterprise: { division: 'D' } },
  ],
  'languages with an underscore': [
    { locale: 'en_US', preferredLanguage: 'zh_Hant_TW' },
    { locale: 'en-US', preferredLanguage: 'zh-Hant-TW' },
  ],
  'items whose value a template has left empty': [
    {
      phoneNumbers: [
        { type: 'work', value: '' },
        { type: 'mobile', value: '+1' },
      ],
      emails: { value: null, type: 'work', primary: true },
      roles: [{ value: '' }],
    },
    { phoneNumbers: [{ type: 'mobile', value: '+1' }] },
  ],
  'what is read-only, whatever it is': [
    { id: 'bjensen', meta: { resourceType: 'User' }, groups: [{ value: 'x' }], [`${core}:Groups`]: 7 },
    {},
  ],
  'an attribute of an extension without its URN': [
    { department: 'Sales' },
    { enterprise: { department: 'Sales' } },
  ],
  'an empty password': [{ password: '', [`${core}:PASSWORD`]: null }, {}],
  'null, empty texts and empty lists as no value': [
    {
      ...{ displayName: '', title: null, nickName: [], roles: [], emails: null, active: null },
      ...{ phoneNumbers: ['', null, {}], name: { givenName: '' }, addresses: [{ formatted: null }] },
      ...{ [enterprise]: { manager: '', department: 'Sales', division: null }, [own]: {} },
    },
    { enterprise: { department: 'Sales' } },
  ],
  'an extension that is empty': [{ [enterprise]: null, [own]: '' }, {}],
};

/** What is sent beside schemas and userName, and what is said of it. */
const wrong: Record<string, readonly [Body, string]> = {
  'an attribute that there is not': [{ shoeSize: 46 }, 'invalidSyntax: There is no attribute "shoeSize".'],
  'one with a name as long as a book': [
    { ['x'.repeat(5000)]: 1 },
    `invalidSyntax: There is no attribute "${'x'.repeat(128)}…".`,
  ],
  'one that no XML could carry': [{ 'a\u0000b': 1 }, 'invalidSyntax: There is no attribute "a\uFFFDb".'],
  'one of Object.prototype': [
    { constructor: { name: 'x' } },
    'invalidSyntax: There is no attribute "constructor".',
  ],
  'a dotted name': [{ 'name.familyName': 'L' }, 'invalidSyntax: name.familyName must stand inside name.'],
  'an extension that there is not': [
    { 'urn:example:User': { x: 1 } },
    'invalidSyntax: There is no attribute "urn:example:User".',
  ],
  'an attribute of an extension that there is not': [
    { [enterprise]: { shoeSize: 46 } },
    `invalidSyntax: There is no attribute "${enterprise}:shoeSize".`,
  ],
  'an attribute of an extension with and without its URN': [
    { department: 'A', [enterprise]: { department: 'B' } },
    `invalidSyntax: ${enterprise}:department occurs more than once.`,
  ],
  'an extension that is no object': [
    { [enterprise]: 'Sales' },
    `invalidValue: ${enterprise} must be an object.`,
  ],
  'a sub-attribute that there is not': [
    { emails: [{ value: 'a@b.c' }, { value: 'c@d.e', colour: 'red' }] },
    'invalidSyntax: emails[1] has no sub-attribute "colour".',
  ],
  'a sub-attribute of a role that no list has': [
    { roles: [{ value: 'a', colour: 'red' }] },
    'invalidSyntax: roles[0] has no sub-attribute "colour".',
  ],
  'a sub-attribute twice': [
    { name: { familyName: 'L', FamilyName: 'M' } },
    'invalidSyntax: name.familyName occurs more than once.',
  ],
  'an attribute twice': [
    { displayName: 'A', DISPLAYNAME: 'B' },
    'invalidSyntax: displayName occurs more than once.',
  ],
  'an attribute with and without its URN': [
    { displayName: 'A', [`${core}:displayName`]: 'A' },
    'invalidSyntax: displayName occurs more than once.',
  ],
  'an attribute in an extension and beside it': [
    { [enterprise]: { department: 'A' }, [`${enterprise}:department`]: 'B' },
    `invalidSyntax: ${enterprise}:department occurs more than once.`,
  ],
  'a password': [
    { Password: 'secret' },
    'invalidValue: This service keeps no passwords: let the identity provider send none.',
  ],
  'a password with its URN in front': [
    { [`${core}:password`]: 'secret' },
    'invalidValue: This service keeps no passwords: let the identity provider send none.',
  ],
  'a number where a text belongs': [{ title: 7 }, 'invalidValue: title must be a text.'],
  'an object where a text belongs': [{ title: { value: 'x' } }, 'invalidValue: title must be a text.'],
  'a list where one value belongs': [{ title: ['x'] }, 'invalidValue: title must be a text.'],
  'a list where one object belongs': [
    { [enterprise]: { manager: [{ value: 'x' }] } },
    `invalidValue: ${enterprise}:manager must be an object.`,
  ],
  'a bare text where an object without a value belongs': [
    { name: 'Ada' },
    'invalidValue: name must be an object.',
  ],
  'one text where a list belongs': [{ roles: 'admin' }, 'invalidValue: roles must be a list.'],
  'a number as an item': [{ roles: ['a', 7] }, 'invalidValue: roles[1] must be an object.'],
  'a list within a list': [{ roles: [['a']] }, 'invalidValue: roles[0] must be an object.'],
  'a list as a sub-attribute': [
    { emails: [{ value: ['a@b.c'] }] },
    'invalidValue: emails[0].value must be a text.',
  ],
  'a number where a boolean belongs': [{ active: 0 }, 'invalidValue: active must be true or false.'],
  'a role without a value': [{ roles: [{ display: 'x' }] }, 'invalidValue: roles[0].value is required.'],
  'a role whose value is empty, with a name': [
    { roles: [{ value: 'a' }, { value: '', display: 'x' }] },
    'invalidValue: roles[1].value is required.',
  ],
  'two primary ones': [
    {
      emails: [
        { value: 'a@b.c', primary: true },
        { value: 'c@d.e', primary: 'True' },
      ],
    },
    'invalidValue: emails must have at most one that is primary.',
  ],
  'more items than a list has': [
    { emails: Array.from({ length: 21 }, () => 'a@b.c') },
    'invalidValue: emails must have at most 20 items.',
  ],
  'a value of our own without a name': [
    { [own]: { attributes: [{ value: 'x' }] } },
    `invalidValue: ${own}:attributes[0].name is required.`,
  ],
  'a name of our own without a value': [
    { [own]: { attributes: [{ name: 'x', value: '' }] } },
    `invalidValue: ${own}:attributes[0].value is required.`,
  ],
  'two values of one name': [
    {
      [own]: {
        attributes: [
          { name: 'x', value: '1' },
          { name: 'x', value: '2' },
        ],
      },
    },
    `invalidValue: ${own}:attributes must not have two values of one name.`,
  ],
  "a group's schema": [
    { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'] },
    `invalidValue: schemas has that of a Group: send ["${core}"].`,
  ],
  "a group's schema besides, of a draft": [
    { schemas: [core, 'URN:SCIM:schemas:core:2.0:group'] },
    `invalidValue: schemas has that of a Group: send ["${core}"].`,
  ],
  'the schema of a message': [
    { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'] },
    `invalidValue: schemas has that of a PatchOp: send ["${core}"].`,
  ],
  'schemas that are no texts': [
    { schemas: [{}] },
    `invalidValue: schemas must be a list of URNs, such as ["${core}"].`,
  ],
  'a JSON list as a role': [
    { roles: [{ value: '["Admin","Reader"]' }] },
    'invalidValue: roles[0].value is a list in JSON: send an item for each of them.',
  ],
  'a JSON list as a bare role': [
    { roles: ['a', ' ["Admin"]'] },
    'invalidValue: roles[1].value is a list in JSON: send an item for each of them.',
  ],
  'JSON as a role, without a value': [
    { roles: [{ value: '{"id":"b9632174","value":null,"displayName":"msiam_access"}' }] },
    'invalidValue: roles[0].value is JSON without a "value": give the role a value at the identity provider.',
  ],
  'a manager twice': [
    { manager: { managerId: '1', value: '2' } },
    `invalidSyntax: ${enterprise}:manager.value occurs more than once.`,
  ],
};

describe('What an identity provider sends in a POST or PUT', () => {
  for (const [what, [members, input]] of Object.entries(understood)) {
    it(`is accepted with ${what}`, () => {
      expect(read(members)).to.deep.equal({ userName: 'ada', ...input });
    });
  }

  for (const [what, [members, said]] of Object.entries(wrong)) {
    it(`is refused with ${what}`, () => {
      expect(refused(members)).to.equal(said);
    });
  }

  it('may have a password for a new user, which is not stored', () => {
    const sent = { schemas: [core], userName: 'ada', [`${core}:password`]: 'secret' };
    expect(toInput(readResourceBody(sent, { isNew: true }))).to.deep.equal({ userName: 'ada' });
    expect(() => readResourceBody(sent)).to.throw('keeps no passwords');
  });

  for (const spelling of ['False', 'false', 'FALSE', 'fAlse', false]) {
    it(`with "active": ${JSON.stringify(spelling)} activates no user`, () => {
      expect(read({ active: spelling })).to.deep.equal({ userName: 'ada', active: false });
    });
  }

  for (const spelling of ['', ' False', 'no', '0', 'null', 0, 1, [], ['False'], {}, { value: false }]) {
    it(`with "active": ${JSON.stringify(spelling)} is refused, so that no leaver stays active`, () => {
      expect(refused({ active: spelling })).to.equal('invalidValue: active must be true or false.');
    });
  }

  for (const body of [undefined, null, 'x', 7, true, [], [{}]]) {
    it(`is refused when it is ${JSON.stringify(body)}`, () => {
      expect(refusal(() => readResourceBody(body))).to.equal('invalidSyntax: The body must be an object.');
    });
  }

  it('is accepted with schemas in any order, and with extensions without values', () => {
    const input = read({ schemas: [own, enterprise.toLowerCase(), core] });
    expect(input).to.deep.equal({ userName: 'ada' });
  });

  it('has the same result in any case of names, and with or without their URN', () => {
    /** Spells a name as the numbers say. */
    const respell = (name: string, seed: number): string =>
      [...name].map((letter, index) => ((seed >> (index % 31)) & 1 ? letter.toUpperCase() : letter)).join('');
    const respellAll = (value: unknown, seed: number): unknown => {
      if (Array.isArray(value)) return value.map((item) => respellAll(item, seed));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [respell(name, seed), respellAll(inner, seed)]),
      );
    };
    const flat = (resource: Body): Body =>
      Object.fromEntries(
        Object.entries(resource).flatMap(([name, value]): [string, unknown][] => {
          if (name === enterprise || name === own)
            return Object.entries(value as Body).map(([one, inner]) => [`${name}:${one}`, inner]);
          return name === 'schemas' ? [[name, value]] : [[`${core}:${name}`, value]];
        }),
      );
    fc.assert(
      fc.property(anyUser(), fc.integer({ min: 0 }), fc.boolean(), (user, seed, isFlat) => {
        const resource = toResource(user, (id) => id);
        const body = respellAll(isFlat ? flat(resource) : resource, seed);
        expect(toInput(readResourceBody(body))).to.deep.equal(toInput(resource));
      }),
      { numRuns: runs(300) },
    );
  });

  it('has no other effect if it is refused, whatever it is, and leaves Object.prototype unchanged', () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    const name = fc.constantFrom(
      '__proto__',
      'constructor',
      'emails',
      'ROLES',
      'name',
      enterprise,
      own,
      'value',
    );
    const json = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue({ maxDepth: 2 }),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(fc.dictionary(fc.oneof(name, fc.string()), json, { maxKeys: 5 }), (members) => {
        refusal(() => readResourceBody(members));
        refused(members);
      }),
      { numRuns: runs(3000) },
    );
    expect(Object.getOwnPropertyNames(Object.prototype)).to.deep.equal(before);
    expect(({} as Body).value).to.equal(undefined);
  });
});
