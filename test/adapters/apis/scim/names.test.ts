import { expect } from 'chai';
import { bulkUrn, patchUrn, searchUrn } from '../../../../src/adapters/apis/scim/protocol/messages.ts';
import { findAttribute, findSchema, schemas } from '../../../support/scim-users.ts';
import { type Ask, aUser, expectError, giveScim, patchOf } from './scim-client.ts';

/** Letters that Unicode, but not ASCII, takes for these in another case. */
const lookalikes: Readonly<Record<string, string>> = { k: '\u212a', s: '\u017f', i: '\u0131', I: '\u0130' };

const foreign = (name: string): string[] =>
  Object.entries(lookalikes).flatMap(([letter, other]) =>
    name.includes(letter) ? [name.replace(letter, other)] : [],
  );

const names = schemas.flatMap(({ id, attributes }) =>
  attributes.flatMap(({ name, subAttributes }) =>
    [name, ...subAttributes.map((sub) => `${name}.${sub.name}`)].flatMap((path) => [path, `${id}:${path}`]),
  ),
);

describe('A SCIM name', () => {
  let ask: Ask;
  giveScim((given) => {
    ask = given;
  });

  it('of an attribute is recognized in any case of ASCII letters, and with no other letters', () => {
    for (const name of names) {
      for (const one of [name, name.toUpperCase(), name.toLowerCase()])
        expect(findAttribute(one), one).to.equal(findAttribute(name)).and.not.equal(undefined);
      for (const one of foreign(name)) expect(findAttribute(one), one).to.equal(undefined);
    }
    for (const { id } of schemas) {
      expect(findSchema(id.toUpperCase())?.id).to.equal(id);
      for (const one of foreign(id)) expect(findSchema(one), one).to.equal(undefined);
    }
  });

  it('in a user is refused with a letter that only Unicode maps to an ASCII letter', async () => {
    for (const [name, value] of Object.entries({
      'nic\u212aName': 'x',
      'di\u017fplayName': 'x',
      'email\u017f': [],
    }))
      expectError(
        await ask('/Users', { method: 'POST', body: aUser({ [name]: value }) }),
        400,
        'invalidSyntax',
      );
    expectError(
      await ask('/Users', { method: 'POST', body: aUser({ name: { 'honorificPref\u0131x': 'x' } }) }),
      400,
      'invalidSyntax',
    );
  });

  it('of a method in a Bulk, or of its members, is also refused if it has a letter that only Unicode maps to an ASCII letter', async () => {
    const operation = { method: 'POST', path: '/Users', data: aUser() };
    for (const one of [
      { ...operation, method: 'PO\u017fT' },
      { ...operation, 'bul\u212aId': 'a' },
    ])
      expectError(
        await ask('/Bulk', { method: 'POST', body: { schemas: [bulkUrn], Operations: [one] } }),
        400,
        'invalidSyntax',
      );
  });

  it('of a parameter is unknown if it has such a letter', async () => {
    expectError(await ask('/Users?sortBy=nickName'), 400, 'invalidValue');
    expect((await ask(`/Users?${encodeURIComponent('\u017fortBy')}=nickName`)).status).to.equal(200);
  });

  it('of a message is recognized in any case', async () => {
    const { Operations } = patchOf({ op: 'REPLACE', path: 'TITLE', value: 'x' });
    const created = await ask('/Users', { method: 'POST', body: aUser() });
    const sent: readonly [string, string, object][] = [
      ['PATCH', `/Users/${created.json().id}`, { SCHEMAS: [patchUrn.toUpperCase()], OPERATIONS: Operations }],
      ['POST', '/.search', { schemas: [searchUrn.toUpperCase()], COUNT: 1 }],
      [
        'POST',
        '/Bulk',
        {
          schemas: [bulkUrn.toUpperCase()],
          operations: [{ METHOD: 'post', PATH: '/Users', DATA: aUser() }],
        },
      ],
    ];
    for (const [method, path, body] of sent)
      expect((await ask(path, { method, body: { ...body } })).status, path).to.equal(200);
  });
});
