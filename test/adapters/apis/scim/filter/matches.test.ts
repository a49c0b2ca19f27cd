import { expect } from 'chai';
import fc from 'fast-check';
import {
  compileItemFilter,
  keyMemory,
  matches,
} from '../../../../../src/adapters/apis/scim/filter/matches.ts';
import type { User } from '../../../../../src/domain/kinds/user/user.ts';
import { aUser } from '../../../../support/a-user.ts';
import { runs } from '../../../../support/runs.ts';
import { parseFilter, parsePatchPath } from '../../../../support/scim-users.ts';
import { anyUser } from '../../../../support/users.ts';
import { anyFilter } from './any-filter.ts';
import { plainResource } from './plain-resource.ts';

const ada: User = aUser({
  id: '00000000-0000-7000-8000-000000000001',
  userName: 'Ada.Lovelace',
  externalId: 'Key-1',
  name: { familyName: 'ΣΊΣΥΦΟΣ', givenName: 'İda' },
  displayName: 'Ada, Countess of Lovelace',
  active: true,
  emails: [
    { value: 'Ada@Example.org', type: 'work', primary: true },
    { value: 'ada@home.example', type: 'home' },
    { value: 'old@example.org' },
  ],
  addresses: [{ locality: 'London', country: 'GB' }],
  roles: ['Admin', 'auditor'],
  attributes: { costCenter: '42', constructor: 'x' },
  meta: { created: '2026-01-02T03:04:05.678Z', lastModified: '2026-02-02T00:00:00.000Z', version: 'v1' },
});

/** By what they show: filters that find her, and filters that don't. */
const cases: Record<string, { readonly true: readonly string[]; readonly false: readonly string[] }> = {
  'texts without regard to case, where the schema says so': {
    true: [
      'displayName eq "ADA, COUNTESS OF LOVELACE"',
      'addresses.country eq "gb"',
      'displayName co "COUNT"',
    ],
    false: ['displayName eq "Ada"', 'displayName co "earl"', 'title eq ""'],
  },
  'a userName as the service compares names': {
    // U+FF21 is a full-width A.
    true: ['userName eq "\uFF21DA.lovelace"', 'userName sw "ADA"', 'userName ew "LACE"', 'userName co "a.L"'],
    false: ['userName eq "ada"', 'userName ne "ada.lovelace"'],
  },
  'ids, keys and own attributes to the letter': {
    true: [
      'externalId eq "Key-1"',
      'roles eq "Admin"',
      'urn:user-management:1:User:attributes[name eq "costCenter" and value eq "42"]',
      'urn:user-management:1:User:attributes.name eq "constructor"',
      'meta.resourceType eq "User"',
      'meta.version eq "\\"v1\\""',
      'id sw "00000000-"',
      'schemas eq "urn:ietf:params:scim:schemas:core:2.0:User"',
    ],
    false: [
      'externalId eq "key-1"',
      'roles eq "admin"',
      'urn:user-management:1:User:attributes.name eq "costcenter"',
      'urn:user-management:1:User:attributes[name eq "constructor" and value eq "42"]',
      'schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"',
    ],
  },
  'sigma wherever a part ends': {
    true: [
      'name.familyName eq "σίσυφος"',
      'name.familyName sw "ΣΊΣ"',
      'name.familyName co "σίς"',
      'name.givenName eq "i\u0307da"',
    ],
    false: ['name.familyName eq "σίσυφοσ"', 'name.familyName sw "σίσυφοσ"', 'name.familyName ew "ΣΊΣΥΦΟς "'],
  },
  'an absent value as null': {
    true: [
      'title eq null',
      'title ne "x"',
      'not (title pr)',
      'phoneNumbers ne "1"',
      'phoneNumbers eq null',
      'name.middleName ne "x"',
      'emails ne null',
      'emails.type ne "work"',
    ],
    false: [
      'title pr',
      'title ne null',
      'title co ""',
      'title le "x"',
      'title gt ""',
      'emails eq null',
      'phoneNumbers[type ne "work"]',
    ],
  },
  'a list by any of its items': {
    true: [
      'emails eq "ada@example.ORG"',
      'emails.type eq "home"',
      'emails ne "ada@example.org"',
      'emails.value sw "old" and emails.type eq "work"',
      'roles co "udit"',
    ],
    false: ['emails co "nobody"', 'addresses.locality ne "london"', 'not (emails co "example")'],
  },
  'a value path by one item': {
    true: [
      'emails[type eq "work" and value co "EXAMPLE.org"]',
      'emails[not (type pr)]',
      'emails[type ne "work" and type ne "home"]',
      'emails[type eq null]',
      'emails[type eq "work"].value ew "ORG"',
    ],
    false: [
      'emails[type eq "home" and value co "example.org"]',
      'emails[type eq "home"].primary eq true',
      'emails[value eq null]',
      'phoneNumbers[not (type eq "x")]',
    ],
  },
  'an item that says nothing of it as not the primary one': {
    true: [
      'emails.primary eq false',
      'emails[primary eq false and type eq "home"]',
      'emails.primary eq "True"',
      'emails[type eq "home" and not (primary pr)]',
    ],
    false: ['emails[primary eq false and type eq "work"]', 'phoneNumbers.primary eq false'],
  },
  'booleans in each spelling': {
    true: ['active eq true', 'active eq "True"', 'active ne FALSE', 'active pr', 'active ne null'],
    false: ['active eq false', 'active eq "False"', 'active ne True', 'active eq null'],
  },
  'dates as instants': {
    true: [
      'meta.created eq "2026-01-02T03:04:05.678Z"',
      'meta.created eq "2026-01-02T04:04:05.67800+01:00"',
      'meta.created eq "2026-01-02T03:04:05.678"',
      'meta.created eq "2026-01-01T22:34:05.678-04:30"',
      'meta.created gt "2026-01-02T03:04:05.6779999Z"',
      'meta.created lt "2026-01-02T03:04:05.6780001Z"',
      'meta.created ge "2026-01-02T03:04:05.678Z"',
      'meta.created le "9999-12-31T23:59:59Z"',
      'meta.created gt "0001-01-01T00:00:00Z"',
      'meta.lastModified eq "2026-02-01T24:00:00Z"',
      'meta.created ne "2026-01-02T03:04:05.6780001Z"',
    ],
    false: [
      'meta.created gt "2026-01-02T03:04:05.678Z"',
      'meta.created gt "2026-01-02T03:04:05-00:01"',
      'meta.created lt "0099-01-01T00:00:00Z"',
    ],
  },
  'texts in the order of code points': {
    // U+1F600 comes after U+FFFD, though not in UTF-16.
    true: [
      'displayName gt "ada"',
      'displayName lt "ADB"',
      'displayName ge "ada, countess of lovelace"',
      'displayName lt "\uFFFD"',
    ],
    false: [
      'displayName gt "ada, countess of lovelace"',
      'displayName gt "\u{1F600}"',
      'displayName le "ada"',
    ],
  },
  'and, or and not': {
    true: [
      'active eq true and displayName sw "ada" or title pr',
      'title pr or active eq true and displayName sw "ada"',
      'not (title pr or active eq false)',
      'not (not (active eq true))',
    ],
    false: [
      '(title pr or active eq true) and displayName sw "bob"',
      'title pr and active eq true or active eq false',
    ],
  },
};

describe('A filter compares', () => {
  const resource = plainResource(ada);
  for (const [what, { true: found, false: missed }] of Object.entries(cases)) {
    it(what, () => {
      for (const text of found) expect(matches(parseFilter(text), resource), text).to.equal(true);
      for (const text of missed) expect(matches(parseFilter(text), resource), text).to.equal(false);
    });
  }

  it('characters outside the BMP as single characters', () => {
    const of = (displayName: string) => plainResource({ ...ada, displayName });
    const isAfter = parseFilter('displayName gt "\uFFFD"');
    expect(matches(isAfter, of('\u{1F600}'))).to.equal(true);
    expect(matches(isAfter, of('\uFFFC'))).to.equal(false);
  });
  it('any values without an error', () => {
    const anything = fc.anything({ withNullPrototype: true });
    fc.assert(
      fc.property(anyFilter, anything, anything, (text, value, emails) => {
        const filter = parseFilter(text);
        expect(matches(filter, value)).to.be.a('boolean');
        expect(matches(filter, { emails, name: value, meta: emails })).to.be.a('boolean');
      }),
    );
  });
  it('no inherited members', () => {
    expect(matches(parseFilter('name pr'), Object.create({ name: { familyName: 'x' } }))).to.equal(false);
  });
  it('so that the operator not inverts the result, for any user', () => {
    fc.assert(
      fc.property(anyFilter, anyUser(), (text, user) => {
        const resource = plainResource(user);
        const isFound = matches(parseFilter(text), resource);
        expect(matches(parseFilter(`not (${text})`), resource)).to.equal(!isFound);
        expect(matches(parseFilter(`(${text}) or title pr and not (title pr)`), resource)).to.equal(isFound);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('The filter in the path of a PATCH operation', () => {
  it('selects the right items', () => {
    const { filter } = parsePatchPath('emails[type eq "WORK" or primary eq false and value sw "old"]');
    if (filter === undefined) throw new Error('There is a filter.');
    expect(ada.emails?.map(compileItemFilter(filter, keyMemory()))).to.deep.equal([true, false, true]);
  });
});
