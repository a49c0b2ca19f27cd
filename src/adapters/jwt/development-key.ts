/** A signing key and tokens of our own, for a service on a developer's machine that nothing is configured for. */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SignJWT } from 'jose';
import { assertKeepsFiles, makeFolder, readRegularFile } from '../files.ts';

const keyBytes = 32;

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

function keyOf(text: string): Uint8Array {
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length === keyBytes && key.toString('base64url') === text.trim()) return key;
  throw new Error(`this is not a key of ${keyBytes * 8} bits in base64url; delete it for a new one`);
}

/** Undefined when there is none. */
function readKey(file: string): Uint8Array | undefined {
  try {
    return keyOf(readRegularFile(file, { isPrivate: true }));
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

/** Undefined when another process was quicker. */
function makeKey(file: string): Uint8Array | undefined {
  let fd: number;
  try {
    fd = openSync(file, 'wx', 0o600);
  } catch (error) {
    if (isCode(error, 'EEXIST')) return undefined;
    throw error;
  }
  try {
    const key = randomBytes(keyBytes);
    writeFileSync(fd, `${key.toString('base64url')}\n`);
    fsyncSync(fd);
    return key;
  } finally {
    closeSync(fd);
  }
}

/**
 * The 256-bit key in `file` (base64url), made on first use with mode 0600, its folder too if missing (0700).
 * Of two processes that start at once one makes it.
 * @throws Error naming the file when group or others have rights on it, or when it holds something else
 */
export function developmentKey(file: string): Uint8Array {
  const existing = readKey(file);
  if (existing !== undefined) return existing;
  assertKeepsFiles(file);
  makeFolder(dirname(file));
  const key = makeKey(file) ?? readKey(file);
  if (key === undefined) throw new Error(`${file}: the key was deleted while it was being made.`);
  return key;
}

export interface DevelopmentTokenOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly scopes: readonly string[];
  /** How long it is valid, from now by the system's clock. */
  readonly seconds: number;
  readonly typ: 'at+jwt' | 'JWT';
}

/** An HS256 token as `jwtAuthenticator` takes it with `{ secret: key }`. */
export async function developmentToken(key: Uint8Array, options: DevelopmentTokenOptions): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  return new SignJWT({ scope: options.scopes.join(' ') })
    .setProtectedHeader({ alg: 'HS256', typ: options.typ })
    .setIssuer(options.issuer)
    .setAudience(options.audience)
    .setSubject('development')
    .setIssuedAt(now)
    .setExpirationTime(now + options.seconds)
    .sign(key);
}
