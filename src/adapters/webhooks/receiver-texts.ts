/** Texts of a receiver that may stand in files of their own: secrets, and values of headers. */
import { resolve } from 'node:path';
import { isObject } from '../../domain/validation/plain-values.ts';
import { messageOf } from '../system/errors.ts';
import { readRegularFile } from '../system/files.ts';

/** Reads what stands in the file itself, or in a file beside it. @throws Error without the text */
function readText(given: unknown, folder: string): string {
  if (typeof given === 'string') return given;
  const { file, ...others } = isObject(given) ? (given as Record<string, unknown>) : {};
  if (typeof file !== 'string' || Object.keys(others).length > 0)
    throw new Error('must be a text, or {file: "…"}');
  try {
    return readRegularFile(resolve(folder, file), { isPrivate: false }).replace(/\r?\n$/, '');
  } catch (error) {
    throw new Error(`${file}: ${messageOf(error)}`);
  }
}

/** Standard Webhooks 1.0.0, symmetric. */
export function readSecret(given: unknown, folder: string): Buffer {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(readText(given, folder)) ?? [];
  const secret = Buffer.from(base64 ?? '', 'base64');
  if (base64 === undefined || secret.length < 24 || secret.length > 64)
    throw new Error('must be whsec_ and base64 of 24 to 64 bytes (webhook secret makes one)');
  return secret;
}

/** Headers that belong to the message or to the connection. */
const ownHeaders =
  /^(?:host|connection|keep-alive|content-.*|transfer-encoding|expect|upgrade|te|trailer|user-agent|webhook-.*)$/i;

export function readHeader(name: string, given: unknown, folder: string): string {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) throw new Error('is not the name of a header');
  if (ownHeaders.test(name)) throw new Error('is a header that the service sets');
  const value = readText(given, folder);
  if (!/^[\x20-\x7e]{0,4096}$/.test(value))
    throw new Error('must have up to 4096 printable ASCII characters');
  return value;
}
