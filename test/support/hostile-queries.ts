/** Queries that no honest client sends, and users on whom a filter has much to look at. */
import { bulkUrn } from '../../src/adapters/apis/scim/protocol/messages.ts';
import { aUser } from './a-user.ts';
import type { HostileRequest } from './watched-service.ts';

const type = 'application/scim+json';

const fill = (piece: string, size = 9_990): string => piece.repeat(Math.floor(size / piece.length));
const numbered = (count: number, piece: (at: number) => string, between: string): string =>
  Array.from({ length: count }, (_, at) => piece(at)).join(between);

/** Each is refused. */
export const refusedFilters: Readonly<Record<string, string>> = {
  'of brackets': fill('('),
  'of square brackets': fill('['),
  'of value paths in each other': fill('emails['),
  'of not not not': fill('not '),
  'of not with brackets': fill('not('),
  'nested deeply, and well': `${'('.repeat(2000)}id pr${')'.repeat(2000)}`,
  'of a thousand terms': numbered(1000, () => 'id pr', ' or '),
  'of a thousand terms in a value path': `emails[${numbered(1000, () => 'type pr', ' or ')}]`,
  'of a text without an end': `title eq "${fill('x')}`,
  'of a text of backslashes': `title eq "${fill('\\')}`,
  'of a text of escapes, and more behind it': `title eq "${fill('\\u0041')}" x`,
  'of texts without spaces between them': fill('"x"'),
  'of dots': fill('.'),
  'of colons': fill(':'),
  'of white space': fill(' \t\r\n'),
  'of one word': fill('a'),
  'of URNs': fill('urn:ietf:params:scim:schemas:core:2.0:User:'),
  'of closing brackets': `title pr${fill(')')}`,
  'of digits in a date': `meta.created eq "2026-01-01T00:00:00.${'1'.repeat(9000)}x"`,
  'of 64 KB': `title eq "${'x'.repeat(64 * 1024)}"`,
  'of 64 KB of brackets': fill('(', 64 * 1024),
  'of 200 KB of terms': fill('title pr or ', 200 * 1024),
};

/** In letters that have more than one mapping. */
const letters = 'İﬁΣßÄé\u{1F600}';
const long = (length: number): string => [...letters.repeat(length)].slice(0, length).join('');

/** Each is a filter like any other, and as costly as one may be. */
export const costlyFilters: Readonly<Record<string, string>> = {
  'of a text of the greatest length': `title co "${'İ'.repeat(9_900)}"`,
  'of words of the greatest length': `displayName sw "${fill('a-', 9_000)}"`,
  'of 64 words': numbered(64, (at) => `displayName sw "word${at} ${'b c d e f g h '.repeat(4)}"`, ' or '),
  'of 64 parts of texts': numbered(64, (at) => `entitlements.value co "${long(80)}${at}"`, ' or '),
  'of 64 parts of texts, each another attribute': numbered(
    64,
    (at) =>
      `${['entitlements.value', 'ims.value', 'entitlements.display', 'phoneNumbers.value'][at % 4]} ew "${long(60)}${at}"`,
    ' or ',
  ),
  'of 64 value paths': numbered(64, (at) => `entitlements[value co "${at}Σ" and type ne "x"]`, ' or ')
    .split(' or ', 32)
    .join(' or '),
  'of 64 negations': numbered(64, (at) => `not (entitlements.value sw "${long(40)}${at}")`, ' and '),
  'of alternatives that multiply': numbered(
    32,
    (at) => `(userName eq "a${at}" or roles eq "b${at}")`,
    ' and ',
  ),
  'of 64 alternatives': numbered(64, (at) => `emails eq "a${at}@example.org"`, ' or '),
  'of 64 dates': numbered(
    64,
    (at) => `meta.created lt "1999-01-01T00:00:00.${at}${'0'.repeat(90)}Z"`,
    ' or ',
  ),
};

/** Other parameters, and whether they are taken. */
export const hostileParameters: Readonly<
  Record<string, readonly [Readonly<Record<string, string>>, status: number]>
> = {
  'names of attributes by the thousand': [{ attributes: fill('userName,') }, 400],
  'two hundred names of attributes': [
    { attributes: numbered(200, () => 'emails.value', ','), count: '1000' },
    200,
  ],
  'two hundred names of what there is not': [
    { excludedAttributes: numbered(200, (at) => `x.y${at}`, ','), count: '200' },
    200,
  ],
  'a name of dots': [{ attributes: fill('a.') }, 200],
  'a cursor of ten thousand characters': [{ cursor: fill('A') }, 400],
  'a count of ten thousand digits': [{ count: fill('9') }, 400],
  'a count of ten thousand zeros': [{ count: fill('0') }, 400],
  'an order by a thousand dots': [{ sortBy: fill('name.') }, 400],
  'an order by URNs': [{ sortBy: fill('urn:ietf:params:scim:schemas:core:2.0:User:') }, 400],
};

/** As large as one may be, nearly. */
function wordyUser(number: number) {
  const { id: _id, meta: _meta, ...user } = aUser({ userName: `wordy-${number}`, displayName: long(200) });
  const values = Array.from({ length: 8 }, (_, at) => ({ value: `${long(100)}${at}`, display: long(120) }));
  return {
    ...user,
    entitlements: values,
    ims: values,
    phoneNumbers: values.map(({ value }) => ({ value: value.slice(0, 60) })),
  };
}

/** A Bulk that makes so many of them. */
export const wordyUsers = (count: number): HostileRequest => ({
  ...{ method: 'POST', path: '/scim/v2/Bulk', type },
  body: JSON.stringify({
    schemas: [bulkUrn],
    Operations: Array.from({ length: count }, (_, at) => ({
      ...{ method: 'POST', path: '/Users' },
      data: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], ...wordyUser(at) },
    })),
  }),
});

/** The query as a body. */
export const searchOf = (members: Readonly<Record<string, unknown>>): HostileRequest => ({
  ...{ method: 'POST', path: '/scim/v2/Users/.search', type },
  body: JSON.stringify({ schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], ...members }),
});
