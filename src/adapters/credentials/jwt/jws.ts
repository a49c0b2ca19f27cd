/** JSON Web Signatures: a signed token's parts (RFC 7515 §7.1), parsed before anything is verified, and the algorithms that verify signatures. */
import { isUtf8 } from 'node:buffer';
import {
  constants,
  createHmac,
  createVerify,
  type KeyObject,
  timingSafeEqual,
  type VerifyKeyObjectInput,
  verify,
} from 'node:crypto';
import { isObject, readJson } from '../../../domain/validation/plain-values.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface Jws {
  readonly header: JsonObject;
  /** Header and payload as received: the text that is signed. */
  readonly input: string;
  readonly signature: Buffer;
  /** Not parsed: `parseJsonObject` does that after the signature has been verified. */
  readonly payload: Buffer;
}

/** Strict base64url (RFC 7515 §2): Node's decoder ignores padding, spaces, and unused bits at the end. */
function decodeBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

/**
 * Undefined for anything but a JSON object in strict UTF-8. Of members with the same name the last counts, as RFC 7515 §4
 * and RFC 7519 §4 allow.
 */
export function parseJsonObject(bytes: Buffer): JsonObject | undefined {
  const value = isUtf8(bytes) ? readJson(bytes.toString('utf8')) : undefined;
  return isObject(value) ? value : undefined;
}

/** Tells a token from other bearer credentials, before anything is verified. */
export const isTokenShaped = (credentials: string): boolean => parseJws(credentials) !== undefined;

/** Undefined for anything but three parts of base64url, the first of them a JSON object. */
export function parseJws(token: string): Jws | undefined {
  const first = token.indexOf('.');
  const last = token.lastIndexOf('.');
  // A further dot between these two isn't base64url, and is refused as such.
  if (first === last) return undefined;
  const encodedHeader = decodeBase64url(token.slice(0, first));
  const payload = decodeBase64url(token.slice(first + 1, last));
  const signature = decodeBase64url(token.slice(last + 1));
  if (encodedHeader === undefined || payload === undefined || signature === undefined) return undefined;
  const header = parseJsonObject(encodedHeader);
  return header && { header, input: token.slice(0, last), signature, payload };
}

/** @param input header and payload as received, which are the signed part of a token. Never throws */
export type SignatureCheck = (input: string, signature: Buffer) => boolean;

export interface Algorithm {
  /** The only type of key, and curve, that may be used with the algorithm (RFC 8725 §3.1). */
  readonly kty: 'oct' | 'RSA' | 'EC' | 'OKP';
  readonly crv?: string;
  /** For a shared secret. */
  readonly minBytes?: number;
  /** The length of any signature by that key. */
  signatureBytes(key: KeyObject): number;
  /** Prepares the parts that depend only on the key, once. @param key of this type and curve */
  createCheck(key: KeyObject): SignatureCheck;
}

/** A key shorter than the hash is refused (RFC 7518 §3.2). */
function defineHmac(bits: number): Algorithm {
  const hash = `sha${bits}`;
  return {
    kty: 'oct',
    minBytes: bits / 8,
    signatureBytes: () => bits / 8,
    createCheck: (key) => (input, signature) => {
      const expected = createHmac(hash, key).update(input, 'latin1').digest();
      return signature.length === expected.length && timingSafeEqual(signature, expected);
    },
  };
}

/** A microsecond faster than the one-shot `verify`. */
const isSigned = (hash: string, input: string, key: VerifyKeyObjectInput, signature: Buffer): boolean =>
  createVerify(hash).update(input, 'latin1').verify(key, signature);

function defineRsa(
  bits: number,
  padding: { readonly padding: number; readonly saltLength?: number },
): Algorithm {
  return {
    kty: 'RSA',
    signatureBytes: ({ asymmetricKeyDetails }) => Math.ceil((asymmetricKeyDetails?.modulusLength ?? 0) / 8),
    createCheck: (key) => {
      const options = { key, ...padding };
      return (input, signature) => isSigned(`sha${bits}`, input, options, signature);
    },
  };
}

const pkcs1 = { padding: constants.RSA_PKCS1_PADDING };
/** The salt is as long as the hash (RFC 7518 §3.5). */
const pss = (bits: number) => ({ padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: bits / 8 });

/** The signature is R and S side by side, each as long as the curve's order (RFC 7518 §3.4), never DER. */
function defineEcdsa(crv: string, bits: number, signatureBytes: number): Algorithm {
  return {
    kty: 'EC',
    crv,
    signatureBytes: () => signatureBytes,
    createCheck: (key) => {
      const options = { key, dsaEncoding: 'ieee-p1363' } as const;
      return (input, signature) =>
        signature.length === signatureBytes && isSigned(`sha${bits}`, input, options, signature);
    },
  };
}

const ed25519: Algorithm = {
  kty: 'OKP',
  crv: 'Ed25519',
  signatureBytes: () => 64,
  createCheck: (key) => (input, signature) => verify(null, Buffer.from(input, 'latin1'), key, signature),
};

/**
 * The signature algorithms (RFC 7518 §3, RFC 8037, RFC 9864), each checked synchronously by node:crypto. The setting `jwt.algorithms`, or
 * its default for the kind of key (`config/authentication.ts`), says which of them are accepted; `authenticator.ts` checks that.
 */
export const algorithms: ReadonlyMap<string, Algorithm> = new Map([
  ['HS256', defineHmac(256)],
  ['HS384', defineHmac(384)],
  ['HS512', defineHmac(512)],
  ['RS256', defineRsa(256, pkcs1)],
  ['RS384', defineRsa(384, pkcs1)],
  ['RS512', defineRsa(512, pkcs1)],
  ['PS256', defineRsa(256, pss(256))],
  ['PS384', defineRsa(384, pss(384))],
  ['PS512', defineRsa(512, pss(512))],
  ['ES256', defineEcdsa('P-256', 256, 64)],
  ['ES384', defineEcdsa('P-384', 384, 96)],
  ['ES512', defineEcdsa('P-521', 512, 132)],
  // The name of RFC 8037; RFC 9864 calls the same thing Ed25519.
  ['EdDSA', ed25519],
  ['Ed25519', ed25519],
]);
