/**
 * Cursors: places in a list, for clients to hand back. A cursor is the id's 16 bytes and, where the list is in the order of a key, the
 * key in UTF-8; or nothing, for the list's end. Behind that stands a checksum over it and the parameters that it belongs to, so that
 * one that was cut, mistyped or carried over to another list is noticed. It needs no secret, since it grants nothing: who may list may
 * begin anywhere. In base64url.
 */
import { createHash } from 'node:crypto';
import type { Position } from '../domain/find/sorts.ts';

/** The list that a cursor belongs to. */
export interface CursorScope {
  /** JSON: all that makes another list of it. How many a page has, and whether it has a total, may change on the way. */
  readonly parameters: readonly unknown[];
  /** It has the order of a key, not that of the ids. */
  readonly isSorted: boolean;
}

export type Place = Position | 'end';

const idBytes = 16;
const checksumBytes = 8;
/** As many as a key has. */
const maxKeyLength = 128;
const maxBytes = idBytes + 4 * maxKeyLength + checksumBytes;

const base64Length = (bytes: number): number => Math.ceil((bytes * 8) / 6);
/** In characters. */
export const cursorLengths = {
  end: base64Length(checksumBytes),
  id: base64Length(idBytes + checksumBytes),
  longest: base64Length(maxBytes),
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function bytesOf(place: Place): Buffer {
  if (place === 'end') return Buffer.alloc(0);
  return Buffer.concat([Buffer.from(place.id.replaceAll('-', ''), 'hex'), Buffer.from(place.key ?? '')]);
}

function checksumOf(bytes: Buffer, { parameters }: CursorScope): Buffer {
  return createHash('sha256')
    .update(bytes)
    .update(JSON.stringify(parameters))
    .digest()
    .subarray(0, checksumBytes);
}

export function makeCursor(place: Place, scope: CursorScope): string {
  const bytes = bytesOf(place);
  return Buffer.concat([bytes, checksumOf(bytes, scope)]).toString('base64url');
}

/** @returns undefined for a text that isn't UTF-8, or too long to be a key */
function readKey(bytes: Buffer): string | undefined {
  try {
    const key = utf8.decode(bytes);
    return Array.from(key).length <= maxKeyLength ? key : undefined;
  } catch {
    return undefined;
  }
}

function readPlace(bytes: Buffer, { isSorted }: CursorScope): Place | undefined {
  if (bytes.length === 0) return 'end';
  if (bytes.length < idBytes) return undefined;
  const hex = bytes.toString('hex', 0, idBytes);
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (bytes.length === idBytes) return { id };
  const key = !isSorted ? undefined : readKey(bytes.subarray(idBytes));
  return key === undefined ? undefined : { id, key };
}

/** @returns undefined for any text but a cursor of the list with these parameters */
export function parseCursor(cursor: string, scope: CursorScope): Place | undefined {
  if (cursor.length > cursorLengths.longest) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const place = readPlace(bytes.subarray(0, Math.max(0, bytes.length - checksumBytes)), scope);
  // Made again it has to be the same: any other spelling of the same bytes is none.
  return place !== undefined && makeCursor(place, scope) === cursor ? place : undefined;
}
