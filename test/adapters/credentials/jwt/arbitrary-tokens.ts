/** Key sets and tokens as issuers, odd issuers and forgers make them, for properties. */
import { constants, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import fc from 'fast-check';
import type { JWK } from 'jose';
import { audience, claims, issuer, seconds } from './tokens.ts';

export const secret = Buffer.alloc(64, 7);

interface Pair {
  readonly algs: readonly string[];
  readonly privateKey: KeyObject;
  readonly jwk: JWK;
}

const ec = (namedCurve: string, alg: string) => ({
  algs: [alg],
  ...generateKeyPairSync('ec', { namedCurve }),
});
const rsa = (modulusLength: number) => ({
  algs: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...generateKeyPairSync('rsa', { modulusLength }),
});
const ed = () => ({ algs: ['EdDSA', 'Ed25519'], ...generateKeyPairSync('ed25519') });

/** Several of a kind, so that a token may be signed with the wrong one; one RSA key is too short. */
export function keyPairs(): Pair[] {
  const pairs = [
    ...[rsa(2048), rsa(1536), ec('P-256', 'ES256'), ec('P-256', 'ES256')],
    ...[ec('P-384', 'ES384'), ec('P-521', 'ES512'), ed(), ed()],
  ];
  return pairs.map(({ algs, privateKey, publicKey }, index) => {
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: `key ${index % 6}` };
    return { algs, privateKey, jwk };
  });
}

const allAlgs = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
  ...['HS256', 'HS384', 'HS512'],
];
const hashOf = (alg: string): string => (alg === 'EdDSA' ? 'sha512' : `sha${alg.slice(2)}`);

function signatureOf(alg: string, key: KeyObject | undefined, input: string, der: boolean): Buffer {
  const data = Buffer.from(input);
  if (key === undefined) return createHmac(hashOf(alg), secret).update(data).digest();
  if (alg.startsWith('Ed')) return sign(null, data, key);
  if (alg.startsWith('ES')) return sign(hashOf(alg), data, { key, dsaEncoding: der ? 'der' : 'ieee-p1363' });
  if (alg.startsWith('RS')) return sign(hashOf(alg), data, key);
  // A salt of another length is well signed, and refused all the same.
  const saltLength = der ? 20 : Number(alg.slice(2)) / 8;
  return sign(hashOf(alg), data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });
}

const usually = <T>(value: T, ...odd: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 25, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });

/** Members by name with their JSON text; undefined leaves one out. */
type Members = Readonly<Record<string, string | undefined>>;
const json = (value: unknown): string => JSON.stringify(value);

const times = (usual: number) => [
  ...[-31, -30, -29.5, -29, 29, 30, 30.5, 31].map((after) => String(seconds(after))),
  ...['1e999', '-1e999', `${usual}.5`, 'null', 'true', `"${usual}"`, '[]', '-1', '9e15'],
  undefined,
];
const payloads: fc.Arbitrary<Members> = fc.record({
  iss: usually<string | undefined>(json(issuer), json([issuer]), json(`${issuer}/`), 'null', undefined),
  aud: usually<string | undefined>(
    json(audience),
    ...[
      json([audience]),
      json(['else', audience, 7]),
      json(['else']),
      json({ 0: audience }),
      '""',
      undefined,
    ],
  ),
  exp: usually<string | undefined>(String(claims.exp), ...times(seconds(300))),
  nbf: usually<string | undefined>(undefined, ...times(seconds(-300))),
  iat: usually<string | undefined>(String(claims.iat), ...times(seconds(-300))),
  scope: usually<string | undefined>('"users:read"', '"users:write users:delete"', '7', '""', undefined),
  scp: usually<string | undefined>(undefined, '"users:delete"', '["users:read",7]'),
  at_hash: usually<string | undefined>(undefined, '"x"', 'null'),
  proto: usually<string | undefined>(undefined, json({ exp: seconds(300), aud: audience })),
});

const headers = (alg: string, kid: string | undefined): fc.Arbitrary<Members> =>
  fc.record({
    alg: usually<string | undefined>(json(alg), ...allAlgs.map(json), '"none"', '"rs256"', '7', undefined),
    kid: fc.oneof(
      { weight: 10, arbitrary: fc.constant(kid === undefined ? undefined : json(kid)) },
      { weight: 10, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom('"unknown"', '7', 'null', '"key 1"') },
    ),
    typ: usually<string | undefined>(
      '"at+jwt"',
      '"Application/AT+JWT"',
      '"JWT"',
      '"text/at+jwt"',
      '7',
      undefined,
    ),
    crit: usually<string | undefined>(undefined, '["b64"]', '["exp"]', '[]', 'null'),
    b64: usually<string | undefined>(undefined, 'true', 'false'),
  });

/** What an issuer may do to a JSON text before it encodes it. */
const spoilt = (text: string, how: string): Buffer => {
  if (how === 'invalid UTF-8') return Buffer.from(text.replace(/}$/, ',"x":"\xff"}'), 'latin1');
  if (how === 'lone surrogate') return Buffer.from(text.replace(/}$/, ',"x":"\\ud800"}'));
  if (how === 'BOM') return Buffer.from(`\ufeff${text}`);
  if (how === 'space') return Buffer.from(` ${text}\n`);
  if (how === 'twice, good last')
    return Buffer.from(text.replace('{', '{"alg":"none","exp":1,"iss":"else",'));
  if (how === 'twice, bad last')
    return Buffer.from(text.replace(/}$/, ',"alg":"none","exp":1,"iss":"else"}'));
  if (how === 'list') return Buffer.from(`[${text}]`);
  if (how === 'cut') return Buffer.from(text.slice(0, -1));
  if (how === 'empty') return Buffer.alloc(0);
  return Buffer.from(text);
};
const spoiling = usually(
  'not',
  ...['invalid UTF-8', 'lone surrogate', 'BOM', 'space', 'twice, good last', 'twice, bad last'],
  ...['list', 'cut', 'empty'],
);

const encodings = usually('base64url', 'base64', 'base64url with padding', 'stray bits');
function encoded(bytes: Buffer, how: string): string {
  const text = bytes.toString('base64url');
  if (how === 'base64') return bytes.toString('base64');
  if (how === 'base64url with padding') return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
  return how === 'stray bits' && text.length % 4 > 1 ? withStrayBits(text) : text;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const withStrayBits = (text: string): string =>
  text.slice(0, -1) + (alphabet[alphabet.indexOf(text.at(-1) ?? 'A') ^ 1] ?? 'A');

function objectOf(members: Members): string {
  const given = Object.entries(members).filter(([, text]) => text !== undefined);
  return `{${given.map(([name, text]) => `${json(name === 'proto' ? '__proto__' : name)}:${text}`)}}`;
}

/** A token signed with `pair`, or with the secret where there is none. */
export function signedTokens(pair: Pair | undefined): fc.Arbitrary<string> {
  return fc.constantFrom(...(pair?.algs ?? ['HS256', 'HS384', 'HS512'])).chain((alg) =>
    fc
      .record({
        header: headers(alg, pair?.jwk.kid),
        payload: payloads,
        spoiling: fc.tuple(spoiling, spoiling),
        encoding: fc.tuple(encodings, encodings, encodings),
        der: usually(false, true),
      })
      .map(({ header, payload, spoiling: [first, second], encoding: [one, two, three], der }) => {
        const input = `${encoded(spoilt(objectOf(header), first), one)}.${encoded(spoilt(objectOf(payload), second), two)}`;
        return `${input}.${encoded(signatureOf(alg, pair?.privateKey, input, der), three)}`;
      }),
  );
}

/** What may happen to a token on its way: something put in, taken out or exchanged anywhere. */
export const changes: fc.Arbitrary<(token: string) => string> = fc
  .record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat(3),
    inserted: fc.oneof(
      fc.constantFrom('', '=', ' ', '.', '\n', '+', 'é', 'AAAA', '\0', '%41'),
      fc.constantFrom(...alphabet),
    ),
    near: fc.constantFrom('anywhere', 'the end', 'the first dot', 'the last dot'),
  })
  .map(({ at, removed, inserted, near }) => (token) => {
    const places: Record<string, number> = {
      anywhere: Math.floor(at * token.length),
      'the end': token.length - removed,
      'the first dot': token.indexOf('.'),
      'the last dot': token.lastIndexOf('.'),
    };
    const place = places[near] ?? 0;
    return token.slice(0, place) + inserted + token.slice(place + removed);
  });

/** Some of the keys, each with what a set may say about it. */
export function keySets(pairs: readonly Pair[]): fc.Arbitrary<{ keys: JWK[] }> {
  const about = fc.record({
    use: usually<unknown>(undefined, 'sig', 'enc', 7),
    key_ops: usually<unknown>(
      undefined,
      ['verify'],
      ['sign'],
      ['verify', 'verify'],
      [7, 'verify'],
      'verify',
      [],
    ),
    alg: usually<unknown>(undefined, 'RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519', 'HS256', null),
    ext: usually<unknown>(undefined, true, 'yes'),
    named: usually(true, false),
  });
  const entry = fc.tuple(fc.constantFrom(...pairs), about).map(([{ jwk }, { named, ...members }]) => {
    const given = Object.entries({ ...jwk, ...(named ? {} : { kid: undefined }), ...members });
    return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as JWK;
  });
  return fc.array(entry, { minLength: 2, maxLength: 9 }).map((keys) => ({ keys }));
}
