import { expect } from 'chai';
import type { UserInput } from '../../src/domain/kinds/user/user.ts';
import { DomainError, type Violation } from '../../src/domain/validation/errors.ts';
import { readInput } from '../support/kinds.ts';

/** What is wrong with it; undefined for nothing. */
function wrongWith(members: object): readonly Violation[] | undefined {
  try {
    readInput({ userName: 'ada', ...members });
    return undefined;
  } catch (error) {
    return error instanceof DomainError ? error.violations : expect.fail(String(error));
  }
}

const taken: readonly Partial<UserInput>[] = [
  { profileUrl: 'https://example.org/~ada?a=%20&b[]=1#top' },
  {
    photos: [
      { value: 'data:image/png,', display: 'none', type: 'thumbnail', primary: true },
      { value: 'urn:a:b' },
    ],
  },
  { x509Certificates: [{ value: 'MIIB' }, { value: 'MII=' }, { value: 'MI' }] },
  { ims: [{ value: 'ada', type: 'a messenger that nobody knows' }] },
  { entitlements: [{ value: 'a' }, { value: 'a', type: 'b' }] },
  { emails: [{ value: 'a@b', display: 'Ada <a@b>' }] },
  { enterprise: { employeeNumber: '007', manager: { displayName: 'Mary' } } },
];

const uri = 'must be a URI (RFC 3986), such as https://example.org/ada';
const base64 = 'must be base64 (RFC 4648 §4), without spaces or line ends';
const refused: readonly [members: object, pointer: string, detail: string][] = [
  [{ profileUrl: 'example.org/ada' }, '/profileUrl', uri],
  [{ profileUrl: 'https://example.org/ada lovelace' }, '/profileUrl', uri],
  [{ photos: [{ value: 'a:b' }, { value: 'https://example.org/zo\u00eb' }] }, '/photos/1/value', uri],
  [{ photos: [{ display: 'Ada' }] }, '/photos/0/value', 'is required'],
  [{ x509Certificates: [{ value: '-----BEGIN CERTIFICATE-----' }] }, '/x509Certificates/0/value', base64],
  [{ x509Certificates: [{ value: 'MIIB\nMIIB' }] }, '/x509Certificates/0/value', base64],
  [
    { ims: [1, 2].map((value) => ({ value: `${value}`, primary: true })) },
    '/ims',
    'must have at most one that is primary',
  ],
  [
    { entitlements: Array.from({ length: 101 }, (_, at) => ({ value: `${at}` })) },
    '/entitlements',
    'must have at most 100 items',
  ],
  [{ addresses: [{ country: 'NL', display: 'home' }] }, '/addresses/0/display', 'is not known here'],
  [
    { enterprise: { manager: 'mary' } },
    '/enterprise/manager',
    'must be an object with members such as value',
  ],
  [{ enterprise: { manager: { $ref: '/Users/1' } } }, '/enterprise/manager/$ref', 'is not known here'],
  [{ enterprise: { employeeNumber: 7 } }, '/enterprise/employeeNumber', 'must be a string'],
];

describe("A user's attributes", () => {
  for (const members of taken)
    it(`are accepted: ${JSON.stringify(members)}`, () => {
      expect(wrongWith(members)).to.equal(undefined);
    });
  for (const [members, pointer, detail] of refused)
    it(`are refused: ${JSON.stringify(members).slice(0, 80)}`, () => {
      expect(wrongWith(members)).to.deep.equal([{ pointer, detail }]);
    });
  it('count as missing when they are empty, in lists and nested objects, too', () => {
    const input = { userName: 'ada', enterprise: { manager: { value: '' } }, photos: [{ value: null }] };
    expect(readInput(input)).to.deep.equal({ userName: 'ada' });
  });
});
