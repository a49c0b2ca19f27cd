/**
 * Cursors: positions in a list, which clients send back. In base64url, a cursor has the id's 16 bytes and, in a list sorted by a key, the
 * key in UTF-8; the end of the list has neither. A checksum over both and the list's parameters follows, to detect cursors that are
 * truncated, mistyped or from another list. It needs no secret, since a cursor grants nothing: a client that may list may start anywhere.
 */
import { hash } from 'node:crypto';
import type { Place } from '../../../domain/find/sorts.ts';

export interface CursorScope {
  /** JSON values: the parameters that define the list. The page size and the total may change between pages. */
  readonly parameters: readonly unknown[];
  /** Sorted by a key, not by id. */
  readonly isSorted: boolean;
}

const idBytes = 16;
const checksumBytes = 8;
/** The maximum length of a key, in code points. */
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
  const summed = Buffer.concat([bytes, Buffer.from(JSON.stringify(parameters))]);
  return hash('sha256', summed, 'buffer').subarray(0, checksumBytes);
}

export function makeListCursor(place: Place, scope: CursorScope): string {
  const bytes = bytesOf(place);
  return Buffer.concat([bytes, checksumOf(bytes, scope)]).toString('base64url');
}

/** @returns undefined if the bytes aren't UTF-8 or the key is too long */
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

/** @returns undefined unless the text is a cursor of a list with these parameters */
export function parseListCursor(cursor: string, scope: CursorScope): Place | undefined {
  if (cursor.length > cursorLengths.longest) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const place = readPlace(bytes.subarray(0, Math.max(0, bytes.length - checksumBytes)), scope);
  // Encoding it again checks the checksum and rejects any other spelling of the same bytes.
  return place !== undefined && makeListCursor(place, scope) === cursor ? place : undefined;
}
