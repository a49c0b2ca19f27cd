/** Changes the file of API keys. Each change replaces the whole file and is durable when the call returns. */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { instantOf } from '../../../domain/validation/plain-values.ts';
import { codeOf, withFileName } from '../../system/errors.ts';
import { keepFileOwner, makeFolder, readRegularFile, syncFolder } from '../../system/files.ts';
import { isTokenShaped } from '../jwt/jws.ts';
import { type ApiKey, hashOf, type KeyEntry, parseKeyDocument, parseKeyFile } from './key-file.ts';

export interface NewKey extends Pick<ApiKey, 'id' | 'scopes' | 'expires' | 'contract' | 'profile'> {}

/** The public part of a key. */
export interface ListedKey extends NewKey {
  /** The first 32 bits of the secret's hash, in hexadecimal: distinguishes keys of one id. */
  readonly fingerprint: string;
}

/** Selects keys by id, by fingerprint or by both. */
export interface KeySelection {
  readonly id?: string | undefined;
  readonly fingerprint?: string | undefined;
}

const toFingerprint = (hash: Buffer): string => hash.toString('hex', 0, 4);

/** The fingerprint in `ListedKey`. */
export const fingerprintOf = (secret: string): string => toFingerprint(hashOf(secret));

const toListedKey = ({ hash, expires, ...key }: KeyEntry): ListedKey => ({
  fingerprint: toFingerprint(Buffer.from(hash, 'base64url')),
  ...key,
  expires: expires === undefined ? undefined : instantOf(expires),
});

/** The form of a key for Bearer; see `apiKeys`. */
export const bearerSecretOf = (id: string, secret: string): string => `${id}.${secret}`;

/** Characters that would be lost or misread in a Bearer field. An id with one, added to the file by hand, works only with Basic. */
function assertFitForBearer(id: string, secret: string): void {
  if (id.startsWith(' ')) throw new Error('the id begins with a space');
  if (isTokenShaped(bearerSecretOf(id, secret))) throw new Error('the id has the shape of a signed token');
}

/**
 * Adds a key with a new secret of 256 bits and returns the secret (base64url), which is stored nowhere. Makes the file (mode 0600)
 * and its folder when they are missing. Root makes it for the owner of the folder. Other keys of the same id stay.
 * @throws Error when the id can't be sent as Bearer credentials; naming the file when its content or the new key isn't valid, or when another process is changing it; the file is
 *   left unchanged
 */
export function addKey(file: string, { id, scopes, expires, contract, profile }: NewKey): string {
  const secret = randomBytes(32).toString('base64url');
  assertFitForBearer(id, secret);
  makeFolder(dirname(file));
  changeFile(file, (keys) => {
    const hash = hashOf(secret).toString('base64url');
    const end = expires && { expires: expires.toISOString() };
    const limits = { ...(contract && { contract }), ...(profile && { profile }) };
    return [...keys, { id, hash, scopes: [...scopes], ...end, ...limits }];
  });
  return secret;
}

/** In the file's order. @throws Error naming the file when it can't be read or isn't valid */
export function listKeys(file: string): ListedKey[] {
  try {
    return parseKeyDocument(readRegularFile(file, { isPrivate: false })).keys.map(toListedKey);
  } catch (error) {
    throw withFileName(file, error);
  }
}

/**
 * Removes keys and returns them. Removing the last one leaves a file without keys.
 * @throws Error as `addKey` does, and when no key is selected
 */
export function revokeKeys(file: string, selection: KeySelection): ListedKey[] {
  const isSelected = (entry: KeyEntry): boolean =>
    (selection.id ?? entry.id) === entry.id &&
    (selection.fingerprint ?? toListedKey(entry).fingerprint) === toListedKey(entry).fingerprint;
  let revoked: KeyEntry[] = [];
  changeFile(file, (keys) => {
    revoked = keys.filter(isSelected);
    if (revoked.length === 0) throw new Error('there is no such key');
    return keys.filter((entry) => !isSelected(entry));
  });
  return revoked.map(toListedKey);
}

function changeFile(file: string, edit: (keys: readonly KeyEntry[]) => KeyEntry[]): void {
  const target = existsSync(file) ? realpathSync(file) : file;
  const draft = `${target}.new`;
  const fd = openDraft(draft);
  try {
    writeFileSync(fd, editText(target, edit));
    keepFileOwner(draft, target);
    fsyncSync(fd);
    renameSync(draft, target);
    syncFolder(dirname(target));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** The draft is also the lock: it has the same name for every writer, so that no key is lost. */
function openDraft(draft: string): number {
  try {
    return openSync(draft, 'wx', 0o600);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new Error(`${draft}: another process is changing the keys; if there is none, delete this file.`);
  }
}

function editText(file: string, edit: (keys: readonly KeyEntry[]) => KeyEntry[]): string {
  try {
    const { keys } = existsSync(file) ? parseKeyDocument(readFileSync(file, 'utf8')) : { keys: [] };
    const text = `${JSON.stringify({ keys: edit(keys) }, null, 2)}\n`;
    parseKeyFile(text);
    return text;
  } catch (error) {
    throw withFileName(file, error);
  }
}
