import { expect } from 'chai';
import fc from 'fast-check';
import { maxComparisons } from '../../../../../src/adapters/apis/scim/filter/parse.ts';
import { planFilter } from '../../../../../src/adapters/apis/scim/filter/plan.ts';
import { type Condition, matchesAll, matchesNone } from '../../../../../src/domain/find/conditions.ts';
import { maxTerms } from '../../../../../src/domain/find/search.ts';
import { parseFilter, schemas } from '../../../../support/scim-users.ts';
import { anyFilter, indexedFilter } from './any-filter.ts';

/** In short: `userName=ada & role=x`, `id x`, `2 terms`, `all` or `nobody`. */
function describeWhere(where: Condition, isWithin = false): string {
  if (matchesAll(where)) return 'all';
  if (matchesNone(where)) return 'nobody';
  if ('id' in where) return `id ${where.id}`;
  if ('not' in where) return `not ${describeWhere(where.not, true)}`;
  if ('exists' in where) return `some ${where.exists}`;
  if ('filter' in where) return `${where.filter}=${where.key}`;
  if ('sort' in where) return `${where.sort} from ${where.from} to ${where.to}`;
  if ('words' in where) return `${where.words.length} terms`;
  const [parts, operator] = 'all' in where ? [where.all, ' & '] : [where.any, ' | '];
  const text = parts.map((part) => describeWhere(part, true)).join(operator);
  return isWithin ? `(${text})` : text;
}

function describePlan(text: string): string {
  const { where, isExact } = planFilter(parseFilter(text));
  return `${describeWhere(where)}${isExact ? '' : ', verified'}`;
}

const id = '00000000-0000-7000-8000-000000000001';

const plans: Record<string, Record<string, string>> = {
  'what a filter of the domain tells alone': {
    'userName eq "ADA"': 'userName=ada',
    'externalId eq "Key-1"': 'externalId=Key-1',
    'emails eq "Ada@Example.org"': 'email=ada@example.org',
    'emails.value eq "Ada@Example.org"': 'email=ada@example.org',
    'emails[value eq "Ada@Example.org"]': 'email=ada@example.org',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value eq "0B"': 'manager=0b',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager eq "0B"': 'manager=0b',
    'employeeNumber eq "E-7"': 'employeeNumber=e-7',
    'active eq "False"': 'active=false',
    'roles eq "Admin"': 'role=Admin',
    'roles[value eq "Admin"]': 'role=Admin',
    'userName eq "ada" and active eq true and roles eq "x"': 'active=true & role=x & userName=ada',
    'userName eq "ada" and userName eq "ADA"': 'userName=ada',
    'roles eq "x" or roles eq "x"': 'role=x',
    'userName eq "ada" or externalId eq "1"': 'externalId=1 | userName=ada',
    '(userName eq "a" or userName eq "b") and active eq true': '(userName=a | userName=b) & active=true',
    // A user may have both.
    'roles eq "x" and roles eq "y"': 'role=x & role=y',
    // Nobody has both, which the store finds out.
    'active eq true and active eq false': 'active=false & active=true',
    'userName eq "a" or (roles eq "x" and (roles eq "y" or emails eq "a@b"))':
      '((email=a@b | role=y) & role=x) | userName=a',
  },
  'what a filter of the domain tells alone of those without a value': {
    'emails pr': 'some email',
    'emails.value pr': 'some email',
    'emails[value pr]': 'some email',
    'roles pr': 'some role',
    'externalId pr': 'some externalId',
    'externalId ne null': 'some externalId',
    'externalId eq null': 'not some externalId',
    'not (emails pr)': 'not some email',
    'groups pr': 'some group',
    'not (groups pr)': 'not some group',
    'not (not (emails pr))': 'some email',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value pr': 'some manager',
    'employeeNumber pr': 'some employeeNumber',
    'externalId pr and not (roles pr)': 'some externalId & not some role',
  },
  'what a filter of the domain tells alone of those with other values': {
    'userName ne "ADA"': 'not userName=ada',
    'externalId ne ""': 'all',
    'employeeNumber ne "E-7"': 'not employeeNumber=e-7',
    'active ne true': 'not active=true',
    [`id ne "${id}"`]: `not id ${id}`,
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value ne "0B"': 'not manager=0b',
    'not (userName eq "ada")': 'not userName=ada',
    'not (userName ne "ada")': 'userName=ada',
    'not (emails[value eq "a@b"])': 'not email=a@b',
    'not (roles eq "x" or roles eq "y")': 'not (role=x | role=y)',
    'active eq true and not (roles eq "x" and roles eq "y")': 'active=true & not (role=x & role=y)',
    'title ne ""': 'all',
  },
  'ranges of instants': {
    'meta.created gt "2026-01-01T00:00:00Z"': 'created from 2026-01-01t00:00:00.000z! to undefined',
    'meta.created ge "2026-01-01T01:00:00+01:00"': 'created from 2026-01-01t00:00:00.000z to undefined',
    'meta.lastModified lt "2026-01-01T00:00:00"': 'lastModified from undefined to 2026-01-01t00:00:00.000z',
    'meta.lastModified le "2026-01-01T00:00:00"': 'lastModified from undefined to 2026-01-01t00:00:00.000z!',
    'validFrom eq "2026-01-01T00:00:00Z"':
      'validFrom from 2026-01-01t00:00:00.000z to 2026-01-01t00:00:00.000z!',
    'not (validUntil le "2026-01-01T00:00:00Z")':
      'not validUntil from undefined to 2026-01-01t00:00:00.000z!',
    // Stored ones have milliseconds.
    'meta.created gt "2026-01-01T00:00:00.0001Z"': 'created from 2026-01-01t00:00:00.001z to undefined',
    'meta.created le "2026-01-01T00:00:00.0001Z"': 'created from undefined to 2026-01-01t00:00:00.001z',
    'meta.created eq "2026-01-01T00:00:00.0001Z"':
      'created from 2026-01-01t00:00:00.001z to 2026-01-01t00:00:00.001z',
    'meta.created lt "9999-12-31T23:59:59-14:00"': 'all, verified',
  },
  'what it tells together with others': {
    'emails[type eq "work" and value eq "a@b"]': 'email=a@b, verified',
    'emails[type eq "work"].value eq "a@b"': 'email=a@b, verified',
    'userName eq "ada" and title pr': 'userName=ada, verified',
    // Damaged users have an id, and match no filter.
    [`id eq "${id}"`]: `id ${id}`,
    [`active eq true and id eq "${id}"`]: `active=true & id ${id}`,
    // Each may be another item's.
    'emails[value eq "a@b" and value eq "b@c"]': 'email=a@b & email=b@c, verified',
    'emails[type eq "work" or value eq "b@c"]': 'all, verified',
  },
  'words, of which others begin with the same': {
    'name.familyName eq "de Vries"': '2 terms, verified',
    'displayName sw "Ada L"': '2 terms, verified',
    'externalId sw "Key"': '1 terms, verified',
    'emails.value sw "ada@"': '1 terms, verified',
    'displayName sw "a b c d e f" and nickName eq "g h i j"': '10 terms, verified',
    'active eq true and displayName sw "ada"': 'active=true & 1 terms, verified',
    'displayName sw "ada" or title eq "boss"': '1 terms | 1 terms, verified',
  },
  'no user where none can be meant': {
    'userName eq ""': 'nobody',
    'userName eq "\\u0000"': 'nobody',
    'title eq "\\u0001"': 'nobody',
    'displayName sw "\\uffff"': 'nobody',
    'userName eq "" or roles eq "x"': 'role=x',
    'title pr and userName eq ""': 'nobody, verified',
  },
  'all users where no index helps': {
    'title pr': 'all, verified',
    'title eq null': 'all, verified',
    'displayName co "ada"': 'all, verified',
    'displayName sw ""': 'all, verified',
    'displayName sw "-"': 'all, verified',
    // Its manager may have a name only.
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager pr': 'all, verified',
    'title ne "boss"': 'all, verified',
    'emails.type pr': 'all, verified',
    // Another address may differ.
    'emails ne "a@b"': 'all, verified',
    'roles ne "x"': 'all, verified',
    'emails[not (value eq "a@b")]': 'all, verified',
    'emails[value ne "a@b"]': 'all, verified',
    'emails[value eq null]': 'all, verified',
    'not (title eq "boss")': 'all, verified',
    'not (userName eq "ada" and title pr)': 'all, verified',
    'not (emails[type eq "work" and value eq "a@b"])': 'all, verified',
    'addresses.locality eq "x"': 'all, verified',
    'phoneNumbers eq "1"': 'all, verified',
    'userName eq "ada" or title pr': 'all, verified',
    'urn:user-management:1:User:attributes[name eq "a" and value eq "b"]': 'all, verified',
  },
};

describe('The plan of a filter', () => {
  for (const [what, cases] of Object.entries(plans)) {
    it(what, () => {
      for (const [text, plan] of Object.entries(cases)) expect(describePlan(text), text).to.equal(plan);
    });
  }

  it('has no more conditions than the filter has comparisons', () => {
    const leaves = (where: Condition): number => {
      if ('not' in where) return leaves(where.not);
      if (!('all' in where || 'any' in where)) return 1;
      return ('all' in where ? where.all : where.any).reduce((sum, one) => sum + leaves(one), 0);
    };
    const names = (count: number) =>
      Array.from({ length: count }, (_, at) => `userName eq "a${at}"`).join(' or ');
    const both = `(${names(32)}) and (${names(32).replaceAll('userName', 'roles')})`;
    for (const text of [names(maxComparisons), both])
      expect(leaves(planFilter(parseFilter(text)).where)).to.equal(maxComparisons);
    fc.assert(
      fc.property(fc.oneof(anyFilter, indexedFilter), (text) => {
        const { where } = planFilter(parseFilter(text));
        expect(leaves(where)).to.be.at.most(maxComparisons);
        for (const [, words] of JSON.stringify(where).matchAll(/"words":(\[(?:\[.*?\],?)*\])/g))
          expect(JSON.parse(words ?? '[]')).to.have.length.at.most(maxTerms);
      }),
    );
  });
});

describe('An attribute with a filter in the domain', () => {
  it('is compared in SCIM as its schema says', () => {
    const core = new Map(schemas[0]?.attributes.map((attribute) => [attribute.name, attribute]));
    const value = (name: string) => core.get(name)?.subAttributes.find((sub) => sub.name === 'value');
    expect([core.get('userName')?.caseExact, value('emails')?.caseExact]).to.deep.equal([false, false]);
    expect([core.get('externalId')?.caseExact, value('roles')?.caseExact]).to.deep.equal([true, true]);
  });
});
