/** The file of API keys, changed: each change replaces it as a whole and is durable when it is done. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Scope } from '../../domain/scopes.ts';
import { makeFolder, readRegularFile, syncFolder } from '../files.ts';
import { hashOf, instantOf, type KeyEntry, parseDocument, parseKeyFile } from './key-file.ts';

export interface NewKey {
  readonly id: string;
  readonly scopes: readonly Scope[];
  readonly expires?: Date | undefined;
}

/** A key as it may be shown to anybody. */
export interface ListedKey {
  /** The first 32 bits of the secret's hash, in hexadecimal: tells keys of one id apart, and opens nothing. */
  readonly fingerprint: string;
  readonly id: string;
  readonly scopes: readonly Scope[];
  readonly expires?: Date | undefined;
}

/** Which keys to take out: those of an id, those with a fingerprint, or with both. */
export interface Chosen {
  readonly id?: string | undefined;
  readonly fingerprint?: string | undefined;
}

const listed = ({ id, hash, scopes, expires }: KeyEntry): ListedKey => ({
  fingerprint: Buffer.from(hash, 'base64url').toString('hex', 0, 4),
  id,
  scopes,
  expires: expires === undefined ? undefined : instantOf(expires),
});

/**
 * Adds a key with a new secret of 256 bits and returns the secret (base64url), which is kept nowhere. The file is replaced as a whole
 * (mode 0600), or made, its folder too; keys that are there stay, under the same id too.
 * @throws Error naming the file when what it holds, or the new key, isn't valid, or when another process is
 *   changing it; the file is as it was
 */
export function addKey(file: string, { id, scopes, expires }: NewKey): string {
  const secret = randomBytes(32).toString('base64url');
  makeFolder(dirname(file));
  change(file, (keys) => {
    const end = expires === undefined ? {} : { expires: expires.toISOString() };
    return [...keys, { id, hash: hashOf(secret).toString('base64url'), scopes: [...scopes], ...end }];
  });
  return secret;
}

/** In the file's order. @throws Error naming the file when it can't be read or isn't valid */
export function listKeys(file: string): ListedKey[] {
  try {
    return parseDocument(readRegularFile(file, { isPrivate: false })).keys.map(listed);
  } catch (error) {
    throw named(file, error);
  }
}

/**
 * Takes keys out and returns them. The last one leaves a file without keys: nobody gets in by it.
 * @throws Error as `addKey` does, and when none is chosen
 */
export function revokeKeys(file: string, chosen: Chosen): ListedKey[] {
  const isChosen = (entry: KeyEntry): boolean =>
    (chosen.id ?? entry.id) === entry.id &&
    (chosen.fingerprint ?? listed(entry).fingerprint) === listed(entry).fingerprint;
  let revoked: KeyEntry[] = [];
  change(file, (keys) => {
    revoked = keys.filter(isChosen);
    if (revoked.length === 0) throw new Error('there is no such key');
    return keys.filter((entry) => !isChosen(entry));
  });
  return revoked.map(listed);
}

const named = (file: string, error: unknown): Error =>
  new Error(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error });

function change(file: string, changed: (keys: readonly KeyEntry[]) => KeyEntry[]): void {
  const target = existsSync(file) ? realpathSync(file) : file;
  const draft = `${target}.new`;
  const fd = openDraft(draft);
  try {
    writeFileSync(fd, changedText(target, changed));
    keepOwner(fd, target);
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

/** One name for every writer: the draft is the lock, so that no key added meanwhile is lost. */
function openDraft(draft: string): number {
  try {
    return openSync(draft, 'wx', 0o600);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new Error(`${draft}: another process is changing the keys; if there is none, delete this file.`);
  }
}

function changedText(file: string, changed: (keys: readonly KeyEntry[]) => KeyEntry[]): string {
  try {
    const { keys } = existsSync(file) ? parseDocument(readFileSync(file, 'utf8')) : { keys: [] };
    const text = `${JSON.stringify({ keys: changed(keys) }, null, 2)}\n`;
    parseKeyFile(text);
    return text;
  } catch (error) {
    throw named(file, error);
  }
}

/** Else a file that root has changed could be read by root alone, and no more by the service. */
function keepOwner(fd: number, file: string): void {
  const before = statSync(file, { throwIfNoEntry: false });
  if (before === undefined || process.getuid?.() !== 0) return;
  fchownSync(fd, before.uid, before.gid);
}
