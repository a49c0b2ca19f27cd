import { expect } from 'chai';
import fc from 'fast-check';
import { SyntaxFault } from '../../../../../src/adapters/apis/scim/filter/syntax.ts';
import { anyText } from '../../../../support/any-text.ts';
import { runs } from '../../../../support/runs.ts';
import { parseFilter, parsePatchPath } from '../../../../support/scim-users.ts';
import { anyFilter } from './any-filter.ts';
import { printFilter, printPatchPath } from './filter-texts.ts';

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** What is sent, and what it means. */
const understood: Record<string, Record<string, string>> = {
  'comparisons of each kind': {
    'userName eq "bjensen"': 'userName eq "bjensen"',
    'name.familyName co "O\'Malley"': 'name.familyName co "O\'Malley"',
    [`${core}:userName sw "J"`]: 'userName sw "J"',
    [`${core.toLowerCase()}:NAME.familyname ne "J"`]: 'name.familyName ne "J"',
    'title pr': 'title pr',
    'meta.lastModified gt "2011-05-13T04:42:34Z"': 'meta.lastModified gt "2011-05-13T04:42:34Z"',
    'meta.created le "2011-05-13T04:42:34.5+02:00"': 'meta.created le "2011-05-13T04:42:34.5+02:00"',
    'schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"':
      'schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"',
    'displayName ew "\\u00e9\\n\\"\\\\"': 'displayName ew "é\\n\\"\\\\"',
    'displayName eq "😀"': 'displayName eq "😀"',
    'urn:user-management:1:User:attributes.name eq "costCenter"':
      'urn:user-management:1:User:attributes.name eq "costCenter"',
  },
  'names, operators and keywords in any case': {
    'USERNAME EQ "x" AND NOT (Title PR)': '(userName eq "x" and not (title pr))',
    'active eq True': 'active eq true',
    'active eq FALSE': 'active eq false',
    'active Ne "False"': 'active ne false',
    'nickname eq NULL': 'nickName eq null',
  },
  'null, which is an absent value': {
    'title eq null': 'title eq null',
    'emails ne null': 'emails ne null',
    'addresses eq null': 'addresses eq null',
    'name eq null': 'name eq null',
    'emails[type eq null]': 'emails[type eq null]',
    'active eq null': 'active eq null',
  },
  'a list by its values': {
    'emails co "example.com"': 'emails.value co "example.com"',
    'roles eq "admin"': 'roles.value eq "admin"',
    'emails pr': 'emails pr',
    'addresses pr': 'addresses pr',
  },
  'and before or, and brackets before both': {
    'title pr or userName pr and active eq true': '(title pr or (userName pr and active eq true))',
    'title pr and userName pr or active eq true': '((title pr and userName pr) or active eq true)',
    '(title pr or userName pr) and active eq true': '((title pr or userName pr) and active eq true)',
    'title pr and userName pr and active eq true': '(title pr and userName pr and active eq true)',
    'not (title pr) and userName pr': '(not (title pr) and userName pr)',
    'not(title pr or not(userName pr))': 'not ((title pr or not (userName pr)))',
    '((title pr))': 'title pr',
    '(title pr)or(userName pr)': '(title pr or userName pr)',
  },
  'value paths': {
    'emails[type eq "work" and value co "@example.com"]':
      'emails[(type eq "work" and value co "@example.com")]',
    'emails[type eq "work" and value co "@example.com"] or phoneNumbers[type eq "mobile" or not (primary eq true)]':
      '(emails[(type eq "work" and value co "@example.com")] or phoneNumbers[(type eq "mobile" or not (primary eq true))])',
    [`${core}:emails[ TYPE eq "work" ]`]: 'emails[type eq "work"]',
    // As Entra ID asks for a user by an address of one type.
    'emails[type eq "work"].value eq "a@b.c" and active eq "True"':
      '(emails[(type eq "work" and value eq "a@b.c")] and active eq true)',
    'emails[type eq "work"].PRIMARY pr': 'emails[(type eq "work" and primary pr)]',
  },
  'white space': {
    '  userName   eq  "x"  ': 'userName eq "x"',
    '\tuserName eq "x"\r\n and\n( title pr )': '(userName eq "x" and title pr)',
  },
};

/** What is sent, where it fails, and how it is explained. */
const refused: readonly (readonly [text: string, column: number, detail: RegExp])[] = [
  ['', 1, /an attribute is expected/],
  ['   ', 4, /an attribute is expected/],
  ['userName', 9, /eq, ne, .* or pr is expected/],
  ['userName eq', 12, /a value is expected/],
  ['userName eq bjensen', 13, /a text in quotes/],
  ['userName is "x"', 10, /eq, ne, .* or pr/],
  ['userName constructor "x"', 10, /eq, ne, .* or pr/],
  ['userName "eq" "x"', 10, /eq, ne, .* or pr/],
  ['userName eq "x', 13, /no end/],
  ['userName eq "a\nb"', 13, /control character/],
  ['userName eq "\\x"', 13, /escape/],
  ['userName eq "\\u12"', 13, /escape/],
  ['userName eq "\\ud800"', 13, /surrogate/],
  ["userName eq 'x'", 13, /unexpected character/],
  ['userName eq"x"', 12, /a space is missing/],
  ['userName eq "x"and title pr', 16, /a space is missing/],
  ['userName eq "x" title pr', 17, /and, or, or the end/],
  ['userName eq "x" xor title pr', 17, /and, or, or the end/],
  ['userName eq "x" and', 20, /an attribute is expected/],
  ['and userName eq "x"', 1, /no attribute "/],
  ['(userName eq "x"', 17, /closing bracket/],
  ['userName eq "x")', 16, /and, or, or the end/],
  ['()', 2, /an attribute is expected/],
  ['not userName eq "x"', 5, /behind not a bracket/],
  ['not not (userName eq "x")', 5, /behind not a bracket/],
  ['"userName" eq "x"', 1, /an attribute is expected/],
  ['userName & title', 10, /unexpected character/],
  ['nothing eq "x"', 1, /there is no attribute "nothing"/],
  ['__proto__ pr', 1, /no attribute "/],
  ['constructor.name pr', 1, /no attribute "/],
  ['name.constructor pr', 1, /no attribute "/],
  ['name.familyName.x pr', 1, /no attribute "/],
  ['urn:ietf:params:scim:schemas:core:2.0:Group:members pr', 1, /no attribute "/],
  ['urn:ietf:params:scim:schemas:core:2.0:User pr', 1, /no attribute "/],
  ['password eq "x"', 1, /no attribute "/],
  ['title pr and nobody pr', 14, /no attribute "/],
  ['title pr and groups.value pr', 27, /compared only by value, with eq/],
  ['groups[value eq "x" or value eq "y"]', 37, /takes one comparison/],
  ['userName eq 5', 13, /a text in quotes/],
  ['userName eq true', 13, /a text in quotes/],
  ['active eq 1', 11, /true or false/],
  ['active eq "yes"', 11, /true or false/],
  ['active gt true', 8, /compared by eq, ne and pr/],
  ['active co "t"', 8, /compared by eq, ne and pr/],
  ['active gt null', 8, /null goes with eq and ne/],
  ['title co null', 7, /null goes with eq and ne/],
  ['meta.created eq "yesterday"', 17, /a date with a time/],
  ['meta.created eq "2026-02-30T00:00:00Z"', 17, /a date with a time/],
  ['meta.created eq 2026', 17, /a text in quotes/],
  ['meta.created sw "2026"', 14, /compared by eq, ne, gt, ge, lt, le and pr/],
  ['name eq "x"', 6, /sub-attributes/],
  ['addresses co "x"', 11, /sub-attributes/],
  ['meta gt "x"', 6, /sub-attributes/],
  ['name[familyName eq "x"]', 5, /only a list/],
  ['userName[value eq "x"]', 9, /only a list/],
  ['schemas[value eq "x"]', 8, /only a list/],
  ['emails.value[type eq "x"]', 13, /only a list/],
  ['emails []', 8, /or pr is expected/],
  ['emails[]', 8, /an attribute is expected/],
  ['emails[', 8, /an attribute is expected/],
  ['emails[type eq "work"', 22, /closing square bracket/],
  ['emails[type eq "work")', 22, /closing square bracket/],
  ['emails[emails.type eq "work"]', 8, /no attribute "/],
  ['emails[userName eq "work"]', 8, /no attribute "/],
  ['emails[type[value eq "x"]]', 12, /may not stand in another/],
  ['emails[type eq "work"].nothing eq "x"', 24, /no sub-attribute "/],
  ['emails[type eq "work"].value', 29, /or pr is expected/],
  ['emails[type eq "work"] .value eq "x"', 24, /and, or, or the end/],
];

function faultOf(parse: () => unknown): SyntaxFault {
  try {
    parse();
  } catch (error) {
    if (error instanceof SyntaxFault) return error;
    throw error;
  }
  throw new Error('It was understood.');
}

describe('A filter', () => {
  for (const [what, cases] of Object.entries(understood)) {
    it(`is parsed with ${what}`, () => {
      for (const [text, meaning] of Object.entries(cases))
        expect(printFilter(parseFilter(text)), text).to.equal(meaning);
    });
  }
  it('is refused with the mistake and its position', () => {
    for (const [text, column, detail] of refused) {
      const fault = faultOf(() => parseFilter(text));
      expect(fault.message, text)
        .to.match(detail)
        .and.to.match(new RegExp(`^At character ${column}: `));
      expect(fault.column, text).to.equal(column);
    }
  });
  it('is refused with a message that names an unknown attribute, but no value', () => {
    expect(faultOf(() => parseFilter('titel eq "SeCrEt"')).message).to.equal(
      'At character 1: there is no attribute "titel" (perhaps title).',
    );
    for (const text of [
      'userName eq SeCrEt',
      'userName xx "SeCrEt"',
      'userName SeCrEt',
      'userName eq "SeCrEt" SeCrEt',
      'emails[type eq "SeCrEt"].nothing pr',
      'emails[type eq "SeCrEt"]SeCrEt',
      'active eq "SeCrEt"',
      'meta.created gt "SeCrEt"',
      '"SeCrEt" pr',
      'userName eq "SeCrEt',
    ])
      expect(faultOf(() => parseFilter(text)).message, text).not.to.match(/secret/i);
  });
  it('has the same meaning in every spelling', () => {
    fc.assert(
      fc.property(anyFilter, (text) => {
        const filter = parseFilter(text);
        expect(parseFilter(printFilter(filter))).to.deep.equal(filter);
      }),
      { numRuns: runs(1000) },
    );
  });
  it('is parsed or refused, whatever its text is', () => {
    const pieces = fc.constantFrom(
      ...[
        'userName',
        'emails',
        'active',
        '.value',
        ':',
        'eq',
        'pr',
        'and',
        'or',
        'not',
        'null',
        'true',
        '1',
        '"x"',
        '"',
        '\\',
      ],
      ...['(', ')', '[', ']', ' ', ' ', ' ', '\u0000', 'é', '\ud800', '%', "'", '-', '__proto__'],
    );
    const anything = fc.oneof(
      fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join('')),
      anyText(),
      fc.tuple(anyFilter, fc.nat(), pieces).map(([text, at, piece]) => {
        const cut = at % (text.length + 1);
        return text.slice(0, cut) + piece + text.slice(cut + 1);
      }),
    );
    fc.assert(
      fc.property(anything, (text) => {
        for (const parse of [parseFilter, parsePatchPath]) {
          try {
            parse(text);
          } catch (error) {
            expect(error).to.be.instanceOf(SyntaxFault);
            expect((error as SyntaxFault).column).to.be.within(1, text.length + 1);
          }
        }
      }),
      { numRuns: runs(3000) },
    );
  });
  it('may have 64 comparisons', () => {
    const of = (count: number) => Array.from({ length: count }, () => 'title pr').join(' or ');
    expect(printFilter(parseFilter(of(64)))).to.equal(`(${of(64)})`);
    expect(faultOf(() => parseFilter(of(65))).message).to.equal(
      `At character ${64 * 12 + 1}: a filter may have 64 comparisons.`,
    );
    expect(faultOf(() => parseFilter(`emails[${of(65).replaceAll('title', 'type')}]`))).to.be.ok;
  });
  it('may have brackets 16 deep', () => {
    const of = (depth: number) => `${'('.repeat(depth)}title pr${')'.repeat(depth)}`;
    const negated = (depth: number) => `${'not ('.repeat(depth)}title pr${')'.repeat(depth)}`;
    expect(printFilter(parseFilter(of(16)))).to.equal('title pr');
    expect(faultOf(() => parseFilter(of(17))).message).to.equal(
      'At character 17: brackets may stand 16 deep.',
    );
    expect(printFilter(parseFilter(negated(16)))).to.equal(negated(16));
    expect(faultOf(() => parseFilter(negated(17))).column).to.equal(17 * 5);
    expect(printFilter(parseFilter(`${of(16)} and ${of(16)}`))).to.equal('(title pr and title pr)');
  });
  it('may have 10,000 characters', () => {
    const of = (length: number) => `title eq "${'x'.repeat(length - 11)}"`;
    expect(printFilter(parseFilter(of(10_000)))).to.equal(of(10_000));
    expect(faultOf(() => parseFilter(of(10_001))).message).to.match(/longer than 10000/);
  });
});

describe('The path of a PATCH operation', () => {
  const paths: Record<string, string> = {
    userName: 'userName',
    'NAME.familyname': 'name.familyName',
    emails: 'emails',
    'emails.value': 'emails.value',
    [`${core}:name`]: 'name',
    'emails[type eq "work"]': 'emails[type eq "work"]',
    'emails[type eq "work" and not (primary eq "True")].VALUE':
      'emails[(type eq "work" and not (primary eq true))].value',
    'urn:user-management:1:User:attributes[name eq "costCenter"].value':
      'urn:user-management:1:User:attributes[name eq "costCenter"].value',
  };
  for (const [text, meaning] of Object.entries(paths)) {
    it(`is parsed: ${text}`, () => {
      expect(printPatchPath(parsePatchPath(text))).to.equal(meaning);
    });
  }

  it('names the sub-attribute, with a filter and without', () => {
    const { path, filter, sub } = parsePatchPath('emails.type');
    expect([path.sub?.name, filter, sub?.name]).to.deep.equal(['type', undefined, 'type']);
    const filtered = parsePatchPath('emails[type eq "work"].value');
    expect([filtered.path.sub, filtered.sub?.name]).to.deep.equal([undefined, 'value']);
    expect(parsePatchPath('emails[type eq "work"]').sub).to.equal(undefined);
  });
  it('is refused with the mistake and its position', () => {
    const wrong: readonly (readonly [string, number, RegExp])[] = [
      ['', 1, /an attribute is expected/],
      ['nothing', 1, /no attribute "/],
      ['__proto__.polluted', 1, /no attribute "/],
      ['userName eq "x"', 10, /end of the path/],
      ['emails[type eq "work"', 22, /closing square bracket/],
      ['emails[type eq "work"]value', 23, /end of the path/],
      ['emails[type eq "work"].value.x', 24, /no sub-attribute "/],
      ['emails[type eq "work"].__proto__', 24, /no sub-attribute "/],
      ['emails[type eq "work"].value[type eq "x"]', 29, /end of the path/],
      ['emails[]', 8, /an attribute is expected/],
      ['name[familyName eq "x"]', 5, /only a list/],
      ['/emails/0', 1, /a path has no slashes/],
    ];
    for (const [text, column, detail] of wrong) {
      const fault = faultOf(() => parsePatchPath(text));
      expect(fault.message, text).to.match(detail);
      expect(fault.column, text).to.equal(column);
    }
  });
});

describe('A hostile filter', () => {
  const size = 10_000;
  const fill = (piece: string) => piece.repeat(Math.floor(size / piece.length));
  const hostile: Record<string, string> = {
    'of brackets': fill('('),
    'of square brackets': fill('['),
    'of value paths in each other': fill('emails['),
    'of not': fill('not '),
    'of not with brackets': fill('not('),
    'of a thousand comparisons': `${fill('id pr or ').slice(0, -9)} id pr`,
    'of dots': fill('.'),
    'of colons': fill(':'),
    'of quotes': fill('"'),
    'of backslashes': `title eq "${fill('\\')}`,
    'of escapes': `title eq "${'\\u0041'.repeat(1600)}" x`,
    'of white space': fill(' '),
    'of one word': fill('a'),
    'of URNs': fill('urn:ietf:params:scim:schemas:core:2.0:User:'),
    'of closing brackets': `title pr${')'.repeat(size - 8)}`,
    'that is too long': 'x'.repeat(10_000_000),
    'of digits in a date': `meta.created eq "2026-01-01T00:00:00.${'1'.repeat(9000)}x"`,
    'of zeros in a date': `meta.created eq "2026-01-01T00:00:00.${'0'.repeat(9000)}1Z" x`,
  };
  for (const [what, text] of Object.entries(hostile)) {
    it(`is refused: ${what}`, () => {
      expect(faultOf(() => parseFilter(text)).message.length).to.be.below(200);
      expect(faultOf(() => parsePatchPath(text)).message.length).to.be.below(200);
    });
  }
});
