import { expect } from 'chai';
import { publishedJson } from '../../../support/contract.ts';
import { contractChecks } from '../../../support/contract-check.ts';
import type { Exchange } from '../../../support/exchanges.ts';
import { findFaults } from '../../../support/scim-schemas.ts';
import { type Json as Members, nobody } from './scim-client.ts';
import { contract, schemas } from './scim-contract.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

describe('The check of SCIM answers against /Schemas', () => {
  const user = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
    ...{ id: nobody, userName: 'ada', active: true },
    emails: [{ value: 'ada@example.com', primary: true }],
    [enterprise]: { manager: { value: 'x' } },
  };
  const wrong: readonly [name: string, changes: Members, fault: RegExp][] = [
    ['no id', { id: undefined }, /id is not/],
    ['a name in other letters', { UserName: 'ada' }, /UserName stands in no schema/],
    ['an attribute of an extension at the top', { department: 'x' }, /department stands in no schema/],
    ['an extension that is not listed', { schemas: user.schemas.slice(0, 1) }, /not among the schemas/],
    ['a text for a boolean', { active: 'true' }, /active is not a boolean/],
    ['an empty text', { title: '' }, /title is no string/],
    ['an empty list', { emails: [] }, /emails is not a list/],
    ['an empty object', { name: {} }, /name\. is empty/],
    ['a bare text in a list', { roles: ['x'] }, /roles\[0\] is not an object/],
    ['null', { title: null }, /title is no string/],
    [
      'a sub-attribute that nobody knows',
      { emails: [{ value: 'x', x: 'y' }] },
      /emails\[0\]\.x stands in no schema/,
    ],
    ['two that are primary', { emails: [user.emails[0], user.emails[0]] }, /several that are primary/],
    ['something in meta', { meta: { resourceType: 'Group' } }, /meta is not/],
  ];
  it('passes what is right, and what is no user', () => {
    expect(findFaults(user, schemas)).to.deep.equal([]);
    expect(findFaults({ schemas: ['urn:x'], Resources: [user] }, schemas)).to.deep.equal([]);
    expect(findFaults({ schemas: ['urn:x'] }, schemas)).to.deep.equal([]);
  });
  for (const [name, changes, fault] of wrong)
    it(`refuses ${name}`, () => {
      expect(findFaults({ ...user, ...changes }, schemas).join()).to.match(fault);
      expect(findFaults({ schemas: [], Resources: [{ ...user, ...changes }] }, schemas).join()).to.match(
        fault,
      );
    });

  it('is made where answers are held to the contract', async () => {
    const main = await publishedJson('/openapi.json');
    const check = contractChecks({ main, scim: contract, schemas });
    const headers = {
      'Content-Type': 'application/scim+json',
      ETag: '"v.scim1"',
      'Last-Modified': 'Fri, 02 Jan 2026 03:04:06 GMT',
      'Cache-Control': 'private, no-cache',
      Vary: 'Accept',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    };
    const exchange = (body: unknown): Exchange => ({
      ...{ method: 'GET', target: `/v1/scim/v2/Users/${nobody}`, requestHeaders: [], httpVersion: '1.1' },
      ...{ status: 200, reason: 'OK', headers: Object.entries(headers) },
      body: Buffer.from(JSON.stringify(body)),
    });
    expect(check.check(exchange(user)).mistakes).to.deep.equal([]);
    expect(check.check(exchange({ ...user, x: 1 })).mistakes.join()).to.match(
      /additional.*,x stands in no schema/,
    );
    expect(check.check({ ...exchange(user), status: 404 }).mistakes.join()).to.match(/required property/);
  });
});
