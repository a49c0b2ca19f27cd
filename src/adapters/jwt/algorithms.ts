/** The signature algorithms (RFC 7518 §3, RFC 8037, RFC 9864), each checked synchronously by node:crypto. */
import {
  constants,
  createHmac,
  createVerify,
  type KeyObject,
  timingSafeEqual,
  type VerifyKeyObjectInput,
  verify,
} from 'node:crypto';

/** Whether `signature` is the key's for `input`, the part of a token that is signed. Never throws. */
export type SignatureCheck = (input: string, signature: Buffer) => boolean;

export interface Algorithm {
  /** The key's type, and its curve where the algorithm has one: no other key serves it (RFC 8725 §3.1). */
  readonly kty: 'oct' | 'RSA' | 'EC' | 'OKP';
  readonly crv?: string;
  /** Bytes that a secret has at least. */
  readonly least?: number;
  /** `key` must be of that type and curve. What can be made once, is; it depends on the key alone. */
  checkWith(key: KeyObject): SignatureCheck;
}

/** A key shorter than the hash is refused (RFC 7518 §3.2). */
function hmac(bits: number): Algorithm {
  const hash = `sha${bits}`;
  return {
    kty: 'oct',
    least: bits / 8,
    checkWith: (key) => (input, signature) => {
      const expected = createHmac(hash, key).update(input, 'latin1').digest();
      return signature.length === expected.length && timingSafeEqual(signature, expected);
    },
  };
}

/** Takes a microsecond less than the one-shot `verify`. */
const isSigned = (hash: string, input: string, key: VerifyKeyObjectInput, signature: Buffer): boolean =>
  createVerify(hash).update(input, 'latin1').verify(key, signature);

function rsa(bits: number, padding: { readonly padding: number; readonly saltLength?: number }): Algorithm {
  return {
    kty: 'RSA',
    checkWith: (key) => {
      const options = { key, ...padding };
      return (input, signature) => isSigned(`sha${bits}`, input, options, signature);
    },
  };
}

const pkcs1 = { padding: constants.RSA_PKCS1_PADDING };
/** The salt is as long as the hash (RFC 7518 §3.5). */
const pss = (bits: number) => ({ padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: bits / 8 });

/** R and S side by side, as many bytes as the curve's order takes (RFC 7518 §3.4); never DER. */
function ecdsa(crv: string, bits: number, signatureBytes: number): Algorithm {
  return {
    kty: 'EC',
    crv,
    checkWith: (key) => {
      const options = { key, dsaEncoding: 'ieee-p1363' } as const;
      return (input, signature) =>
        signature.length === signatureBytes && isSigned(`sha${bits}`, input, options, signature);
    },
  };
}

const ed25519: Algorithm = {
  kty: 'OKP',
  crv: 'Ed25519',
  checkWith: (key) => (input, signature) => verify(null, Buffer.from(input, 'latin1'), key, signature),
};

/** All that are known here; a set of keys or a secret serves those of its type. */
export const algorithms: ReadonlyMap<string, Algorithm> = new Map([
  ['HS256', hmac(256)],
  ['HS384', hmac(384)],
  ['HS512', hmac(512)],
  ['RS256', rsa(256, pkcs1)],
  ['RS384', rsa(384, pkcs1)],
  ['RS512', rsa(512, pkcs1)],
  ['PS256', rsa(256, pss(256))],
  ['PS384', rsa(384, pss(384))],
  ['PS512', rsa(512, pss(512))],
  ['ES256', ecdsa('P-256', 256, 64)],
  ['ES384', ecdsa('P-384', 384, 96)],
  ['ES512', ecdsa('P-521', 512, 132)],
  // The name of RFC 8037; RFC 9864 calls the same thing Ed25519.
  ['EdDSA', ed25519],
  ['Ed25519', ed25519],
]);
