/** A signing key and tokens of our own, for a service on a developer's machine that nothing is configured for. */
import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SignJWT } from 'jose';

const keyBytes = 32;

/** The file with this flag, closed again whatever happens; undefined when opening fails with `code`. */
function withFile<T>(file: string, flag: 'r' | 'wx', code: string, use: (fd: number) => T): T | undefined {
  let fd: number;
  try {
    fd = openSync(file, flag, 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw error;
  }
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

function readKey(file: string, fd: number): Uint8Array {
  // Windows has no such bits: there the folder's own rights decide.
  if (process.platform !== 'win32' && (fstatSync(fd).mode & 0o077) !== 0) {
    throw new Error(`${file}: others than its owner may read this key; run chmod 600 on it, or delete it.`);
  }
  const text = readFileSync(fd, 'utf8').trim();
  const key = Buffer.from(text, 'base64url');
  if (key.length !== keyBytes || key.toString('base64url') !== text) {
    throw new Error(
      `${file}: this is not a key of ${keyBytes * 8} bits in base64url; delete it for a new one.`,
    );
  }
  return key;
}

function writeKey(fd: number): Uint8Array {
  const key = randomBytes(keyBytes);
  writeFileSync(fd, `${key.toString('base64url')}\n`);
  fsyncSync(fd);
  return key;
}

/**
 * The 256-bit key in `file` (base64url), made on first use with mode 0600, its folder too if missing (0700).
 * Of two processes that start at once one makes it.
 * @throws Error naming the file when group or others have rights on it, or when it holds something else
 */
export function developmentKey(file: string): Uint8Array {
  const read = () => withFile(file, 'r', 'ENOENT', (fd) => readKey(file, fd));
  const existing = read();
  if (existing !== undefined) return existing;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const key = withFile(file, 'wx', 'EEXIST', writeKey) ?? read();
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
