/** A signed token taken apart (RFC 7515 §7.1), before anything in it is believed. */
import { isUtf8 } from 'node:buffer';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface CompactToken {
  readonly header: JsonObject;
  /** What the signature is over: header and payload as they came. */
  readonly input: string;
  readonly signature: Buffer;
  /** JSON, or whatever came in its place: for `jsonObject`, once the signature has proved right. */
  readonly payload: Buffer;
}

/** Strict base64url (RFC 7515 §2): the decoder overlooks padding, spaces, and bits left over at the end. */
function base64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

/**
 * A JSON object in strict UTF-8. Of members with the same name the last counts, which RFC 7515 §4 and RFC 7519 §4
 * leave to the recipient: the issuer signed it.
 */
export function jsonObject(bytes: Buffer): JsonObject | undefined {
  if (!isUtf8(bytes)) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined when it isn't three parts of base64url, the first of them a JSON object. */
export function parseCompact(token: string): CompactToken | undefined {
  const first = token.indexOf('.');
  const last = token.lastIndexOf('.');
  // A dot between these two is no base64url.
  if (first === last) return undefined;
  const encodedHeader = base64url(token.slice(0, first));
  const payload = base64url(token.slice(first + 1, last));
  const signature = base64url(token.slice(last + 1));
  if (encodedHeader === undefined || payload === undefined || signature === undefined) return undefined;
  const header = jsonObject(encodedHeader);
  return header && { header, input: token.slice(0, last), signature, payload };
}
