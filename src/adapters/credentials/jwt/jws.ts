/** Parses a signed token's parts (RFC 7515 §7.1), before anything is verified. */
import { isUtf8 } from 'node:buffer';
import { isObject } from '../../../domain/validation/plain-values.ts';

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
  if (!isUtf8(bytes)) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
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
