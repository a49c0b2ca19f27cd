import { expect } from 'chai';
import fc from 'fast-check';
import { maxAlternatives } from '../../../../../src/adapters/apis/scim/filter/alternatives.ts';
import { parseFilter } from '../../../../../src/adapters/apis/scim/filter/parse.ts';
import { planFilter } from '../../../../../src/adapters/apis/scim/filter/plan.ts';
import { schemas } from '../../../../../src/adapters/apis/scim/resource/attributes.ts';
import { maxTerms } from '../../../../../src/domain/search.ts';
import { anyFilter } from './any-filter.ts';

/** In short: `userName=ada role=x`, `id x`, `2 terms`, or `all`. */
function describePlan(text: string): string {
  const { alternatives, isExact } = planFilter(parseFilter(text));
  const shown = alternatives.map((alternative) => {
    if ('id' in alternative) return `id ${alternative.id}`;
    const { filters, terms = [] } = alternative.conditions;
    const pairs = Object.entries(filters)
      .map(([name, key]) => `${name}=${key}`)
      .sort();
    return [...pairs, ...(terms.length === 0 ? [] : [`${terms.length} terms`])].join(' ') || 'all';
  });
  return `${shown.join(' | ') || 'nobody'}${isExact ? '' : ', verified'}`;
}

const id = '00000000-0000-7000-8000-000000000001';

const plans: Record<string, Record<string, string>> = {
  'what a filter of the domain tells alone': {
    [`id eq "${id}"`]: `id ${id}`,
    'userName eq "ADA"': 'userName=ada',
    'externalId eq "Key-1"': 'externalId=Key-1',
    'emails eq "Ada@Example.org"': 'email=ada@example.org',
    'emails.value eq "Ada@Example.org"': 'email=ada@example.org',
    'emails[value eq "Ada@Example.org"]': 'email=ada@example.org',
    'active eq "False"': 'active=false',
    'roles eq "Admin"': 'role=Admin',
    'roles[value eq "Admin"]': 'role=Admin',
    'userName eq "ada" and active eq true and roles eq "x"': 'active=true role=x userName=ada',
    'userName eq "ada" and userName eq "ADA"': 'userName=ada',
    'roles eq "x" or roles eq "x"': 'role=x',
  },
  'what it tells together with others': {
    'emails[type eq "work" and value eq "a@b"]': 'email=a@b, verified',
    'emails[type eq "work"].value eq "a@b"': 'email=a@b, verified',
    'userName eq "ada" and title pr': 'userName=ada, verified',
    [`id eq "${id}" and active eq true`]: `id ${id}, verified`,
    [`active eq true and id eq "${id}"`]: `id ${id}, verified`,
    'userName eq "ada" or externalId eq "1"': 'userName=ada | externalId=1, verified',
    '(userName eq "a" or userName eq "b") and active eq true':
      'active=true userName=a | active=true userName=b, verified',
    // A user may have both.
    'roles eq "x" and roles eq "y"': 'role=x, verified',
    'emails[value eq "a@b" and value eq "b@c"]': 'email=a@b, verified',
  },
  'words, of which others begin with the same': {
    'name.familyName eq "de Vries"': '2 terms, verified',
    'displayName sw "Ada L"': '2 terms, verified',
    'externalId sw "Key"': '1 terms, verified',
    'emails.value sw "ada@"': '1 terms, verified',
    'displayName sw "a b c d e f" and nickName eq "g h i j"': `${maxTerms} terms, verified`,
    'active eq true and displayName sw "ada"': 'active=true 1 terms, verified',
    'displayName sw "ada" or title eq "boss"': '1 terms | 1 terms, verified',
  },
  'nobody where nobody can be meant': {
    'userName eq "a" and userName eq "b"': 'nobody',
    'active eq true and active eq false': 'nobody',
    'id eq "1" and id eq "2"': 'nobody',
    'userName eq ""': 'nobody',
    'userName eq "\\u0000"': 'nobody',
    'title eq "\\u0001"': 'nobody',
    'displayName sw "\\uffff"': 'nobody',
    'userName eq "" or roles eq "x"': 'role=x',
  },
  'everybody where no index helps': {
    'title pr': 'all, verified',
    'title eq null': 'all, verified',
    'displayName co "ada"': 'all, verified',
    'displayName sw ""': 'all, verified',
    'displayName sw "-"': 'all, verified',
    'userName ne "ada"': 'all, verified',
    'addresses.locality eq "x"': 'all, verified',
    'phoneNumbers eq "1"': 'all, verified',
    'meta.created gt "2026-01-01T00:00:00Z"': 'all, verified',
    'not (userName eq "ada")': 'all, verified',
    'userName eq "ada" or title pr': 'all, verified',
    'urn:user-management:1:User:attributes[name eq "a" and value eq "b"]': 'all, verified',
  },
};

describe('The plan of a filter is', () => {
  for (const [what, cases] of Object.entries(plans)) {
    it(what, () => {
      for (const [text, plan] of Object.entries(cases)) expect(describePlan(text), text).to.equal(plan);
    });
  }

  it('everybody where too many alternatives would have to be walked', () => {
    const names = (letter: string, count: number) =>
      `(${Array.from({ length: count }, (_, at) => `userName eq "${letter}${at}"`).join(' or ')})`;
    const roles = (count: number) => names('r', count).replaceAll('userName', 'roles');
    const of = (text: string) => planFilter(parseFilter(text)).alternatives.length;
    expect(of(names('a', 64))).to.equal(64);
    expect(of(`${names('a', 7)} and ${roles(7)}`)).to.equal(49);
    expect(of(`${names('a', 9)} and ${roles(10)}`)).to.equal(9);
    expect(of(`(${names('a', 8)} and ${roles(8)}) or externalId eq "x"`)).to.equal(1);
  });
  it('within its bounds, whatever is asked', () => {
    fc.assert(
      fc.property(anyFilter, (text) => {
        const { alternatives, isExact } = planFilter(parseFilter(text));
        expect(alternatives.length).to.be.at.most(isExact ? 1 : maxAlternatives);
        for (const alternative of alternatives)
          if ('conditions' in alternative)
            expect(alternative.conditions.terms?.length ?? 0).to.be.at.most(maxTerms);
      }),
    );
  });
});

describe('An attribute that the domain finds users by', () => {
  it('is compared by SCIM as its schema says', () => {
    const core = new Map(schemas[0]?.attributes.map((attribute) => [attribute.name, attribute]));
    const value = (name: string) => core.get(name)?.subAttributes.find((sub) => sub.name === 'value');
    expect([core.get('userName')?.caseExact, value('emails')?.caseExact]).to.deep.equal([false, false]);
    expect([core.get('externalId')?.caseExact, value('roles')?.caseExact]).to.deep.equal([true, true]);
  });
});
