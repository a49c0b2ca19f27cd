import { expect } from 'chai';
import { startService } from '../../../support/service.ts';
import { memoryStore } from '../../../support/stores.ts';
import { aUser, client, type Json as Members, nobody } from './scim-client.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const own = 'urn:user-management:1:User';

/** What identity providers send, or might send. */
const bodies: readonly [name: string, body: Members, taken?: boolean][] = [
  ['nothing but a name', {}, true],
  [
    'null for each of its members',
    { name: null, emails: null, active: null, title: null, [enterprise]: null, [own]: null },
    true,
  ],
  [
    'empty texts and lists',
    { name: '', emails: [], title: '', roles: '', [enterprise]: '', [own]: [] },
    true,
  ],
  [
    'objects of nothing',
    { name: {}, emails: [{}], [enterprise]: { manager: {} }, [own]: { attributes: [{}] } },
    true,
  ],
  ['items of nothing', { emails: [null, '', []], roles: [null, { display: '' }] }, true],
  [
    'values of nothing',
    { emails: [{ value: '', type: null, primary: null }], addresses: [{ locality: '' }] },
    true,
  ],
  ['what is read-only', { id: nobody, meta: { version: 1 }, groups: [{ value: 'x' }] }, true],
  ['bare texts', { emails: ['ada@example.com'], roles: ['x'], [enterprise]: { manager: 'x' } }, true],
  ['booleans in words', { active: 'False', emails: [{ value: 'ada@example.com', primary: 'TRUE' }] }, true],
  [
    'sub-attributes of roles',
    { roles: [{ value: 'x', display: 1, type: [], primary: 'x', $ref: {} }] },
    true,
  ],
  [
    'two roles that are one',
    {
      roles: [
        { value: 'x', type: 'a' },
        { value: 'x', type: 'b' },
      ],
    },
    true,
  ],
  ['attributes of an installation', { [own]: { attributes: [{ name: 'floor', value: '2' }] } }, true],
  ['a password', { password: 'secret' }, true],
  ['a number for a text', { title: 1 }],
  ['a boolean for a text', { title: true }],
  ['an empty text for a boolean', { active: '' }],
  ['an empty list for a boolean', { active: [] }],
  ['a word for a boolean', { active: 'yes' }],
  ['an object for a list', { emails: { value: 'ada@example.com' } }, true],
  ['an empty object for a list', { emails: {} }, true],
  ['a text for a list', { emails: 'ada@example.com' }],
  ['a list for an object', { name: [{}] }],
  ['a text for a name', { name: 'Ada' }],
  ['an email without its value', { emails: [{ type: 'work' }] }],
  ['an email that is none', { emails: [{ value: 'x' }] }],
  [
    'two that are primary',
    {
      emails: [
        { value: 'a@b.c', primary: true },
        { value: 'd@e.f', primary: true },
      ],
    },
  ],
  ['a role without its value', { roles: [{ display: 'x' }] }],
  ['an own attribute without its value', { [own]: { attributes: [{ name: 'floor' }] } }],
  ['an own attribute as a bare text', { [own]: { attributes: ['floor'] } }],
  ['an own attribute with a bad name', { [own]: { attributes: [{ name: '1', value: 'x' }] } }],
  ['an unknown attribute', { shoeSize: '42' }],
  ['an unknown sub-attribute', { name: { shoeSize: '42' } }],
  ['an unknown attribute of an extension', { [enterprise]: { shoeSize: '42' } }],
  ['no schema', { schemas: [] }, true],
  ['an extension alone', { schemas: [enterprise] }, true],
  ["a group's schema", { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'] }],
  ['a locale with an underscore', { locale: 'en_US' }, true],
  ['a control character', { title: 'a\u0001' }],
  ['a country in full', { addresses: [{ country: 'Netherlands' }] }],
  ['too long a text', { title: 'x'.repeat(257) }],
  ['too many items', { emails: Array.from({ length: 21 }, (_, index) => ({ value: `a${index}@b.c` })) }],
  ['no name', { userName: null }],
  ['an empty name', { userName: '' }],
];

describe('A user that an identity provider creates', () => {
  for (const [name, more, taken = false] of bodies)
    it(`is ${taken ? 'accepted' : 'refused'} with ${name}`, async () => {
      const service = await startService({}, memoryStore());
      const body = aUser(more);
      const { status, text: told } = await client(service)('/Users', { method: 'POST', body });
      expect(status, told).to.equal(taken ? 201 : 400);
      await service.close();
    });
});
