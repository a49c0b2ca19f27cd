/** The service's own signing key and tokens, on a developer's machine where nothing is configured. */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SignJWT } from 'jose';
import { codeOf, withFileName } from '../../system/errors.ts';
import { assertKeepsFiles, makeFolder, readRegularFile } from '../../system/files.ts';

const keyBytes = 32;

function parseKey(text: string): Uint8Array {
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length === keyBytes && key.toString('base64url') === text.trim()) return key;
  throw new Error(`this is not a key of ${keyBytes * 8} bits in base64url; delete it for a new one`);
}

function readKey(file: string): Uint8Array | undefined {
  try {
    return parseKey(readRegularFile(file, { isPrivate: true }));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw withFileName(file, error);
  }
}

/** Undefined when another process has made it first. */
function makeKey(file: string): Uint8Array | undefined {
  let fd: number;
  try {
    fd = openSync(file, 'wx', 0o600);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined;
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
 * The 256-bit key in `file` (base64url). The file (mode 0600) and its folder (0700) are created on first use; of several processes
 * that start at once, one creates them.
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

interface DevelopmentTokenOptions {
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
