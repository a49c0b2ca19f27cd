import { expect } from 'chai';
import fc from 'fast-check';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { DomainError } from '../../../../src/domain/validation/errors.ts';
import { aUser } from '../../../support/a-user.ts';
import { readInput } from '../../../support/kinds.ts';
import { runs } from '../../../support/runs.ts';
import { readResourceBody, scimPath, toInput, toResource } from '../../../support/scim-users.ts';
import { anyUser } from '../../../support/users.ts';

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const own = 'urn:user-management:1:User';
const locate = (id: string): string => `https://directory.example/scim/v2/Users/${id}`;
const id = '01890a5d-ac96-774b-bcce-b302099a8057';

const show = (overrides: Partial<User>): Readonly<Record<string, unknown>> =>
  toResource(aUser({ id, userName: 'ada', ...overrides }), locate);

describe('A user as a SCIM resource', () => {
  it('has the core schema, its id and the members that SCIM requires of any resource', () => {
    const user = aUser({ id, userName: 'ada' });
    expect(toResource(user, locate, ({ version }) => `"${version}"`)).to.deep.equal({
      schemas: [core],
      id,
      userName: 'ada',
      active: true,
      meta: {
        resourceType: 'User',
        created: '2026-01-02T03:04:05.678Z',
        lastModified: '2026-01-02T03:04:05.678Z',
        location: `https://directory.example/scim/v2/Users/${id}`,
        version: `"${user.meta.version}"`,
      },
    });
  });

  it('has most members unchanged', () => {
    const same: Partial<User> = {
      externalId: '701984',
      name: { familyName: 'Lovelace', givenName: 'Ada' },
      profileUrl: 'https://ada.example',
      emails: [{ value: 'ada@example.com', type: 'work', primary: true, display: 'Ada' }],
      ims: [{ value: 'ada', type: 'xmpp' }],
      photos: [{ value: 'https://ada.example/photo' }],
      entitlements: [{ value: 'parking' }],
      x509Certificates: [{ value: 'AAAA' }],
    };
    expect(show(same)).to.deep.include(same);
  });

  it('has roles as objects with a value', () => {
    expect(show({ roles: ['admin', 'auditor'] }).roles).to.deep.equal([
      { value: 'admin' },
      { value: 'auditor' },
    ]);
  });

  it('has the attributes of an extension under its URN, which schemas then lists', () => {
    const resource = show({ enterprise: { department: 'Sales' }, attributes: { costCenter: '42' } });
    expect(resource).to.deep.include({
      schemas: [core, enterprise, own],
      [enterprise]: { department: 'Sales' },
      [own]: { attributes: [{ name: 'costCenter', value: '42' }] },
    });
    expect(resource).not.to.have.any.keys('enterprise', 'attributes');
  });

  it('has the attributes of an extension under its URN', () => {
    const manager = { value: id, displayName: 'Babs' };
    expect(show({ enterprise: { manager } })[enterprise]).to.deep.equal({ manager });
  });

  it('is the same user when it is read again, whichever members it has', () => {
    fc.assert(
      fc.property(anyUser(), (user) => {
        const { id: _ours, meta: _serviceOwn, ...input } = user;
        const sent: unknown = JSON.parse(JSON.stringify(toResource(user, locate, () => '"1"')));
        expect(toInput(readResourceBody(sent))).to.deep.equal(input);
      }),
      { numRuns: runs(500) },
    );
  });

  it('is converted without changing the user', () => {
    fc.assert(
      fc.property(anyUser(), (user) => {
        const before = structuredClone(user);
        toInput(toResource(user, locate));
        expect(user).to.deep.equal(before);
      }),
    );
  });
});

describe('An error about a user', () => {
  for (const [pointer, path] of [
    ['', ''],
    ['/userName', 'userName'],
    ['/name/familyName', 'name.familyName'],
    ['/emails', 'emails'],
    ['/emails/0', 'emails[0]'],
    ['/emails/12/value', 'emails[12].value'],
    ['/roles', 'roles'],
    ['/roles/3', 'roles[3].value'],
    ['/enterprise', enterprise],
    ['/enterprise/department', `${enterprise}:department`],
    ['/enterprise/manager/value', `${enterprise}:manager.value`],
    ['/attributes', `${own}:attributes`],
    ['/attributes/costCenter', `${own}:attributes[name eq "costCenter"].value`],
    ['/attributes/a~1b~0"', `${own}:attributes[name eq "a/b~\\""].value`],
  ] as const) {
    it(`at ${pointer || 'the whole user'} is at ${path || 'the whole resource'} in SCIM`, () => {
      expect(scimPath(pointer)).to.equal(path);
    });
  }

  it('about a role that is too long names that role', () => {
    const resource = readResourceBody({
      schemas: [core],
      userName: 'ada',
      roles: [{ value: 'x'.repeat(65) }],
    });
    try {
      readInput(toInput(resource));
      expect.fail('it was taken');
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      expect(error.violations.map(({ pointer, detail }) => `${scimPath(pointer)} ${detail}`)).to.deep.equal([
        'roles[0].value must have at most 64 characters',
      ]);
    }
  });
});
