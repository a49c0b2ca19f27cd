/** The file of API keys: hashes only, so that reading it gives nobody a key. */
import { hash as digest, randomBytes } from 'node:crypto';
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
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Scope, scopes } from '../../../domain/scopes.ts';

const closed = { additionalProperties: false };
const Entry = Type.Object(
  {
    // RFC 7617 §2: a user-id has no colon, and no control characters.
    id: Type.String({ pattern: /^[^:\p{Cc}]{1,128}$/u }),
    // 256 bits in 43 characters, the last of which has two bits that stand for nothing.
    hash: Type.String({ pattern: /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/ }),
    scopes: Type.Array(Type.Enum([...scopes]), { minItems: 1, uniqueItems: true }),
    expires: Type.Optional(Type.String({ format: 'date-time' })),
  },
  closed,
);
const File = Type.Object({ keys: Type.Array(Entry) }, closed);
const validator = Compile(File);

/** One key as the file has it. Several may share an id: the old one and the new while a client changes over. */
export interface ApiKey {
  readonly id: string;
  /** SHA-256 of the secret's UTF-8 bytes. Not a slow hash: the secrets are 256 random bits. */
  readonly hash: Buffer;
  readonly scopes: readonly Scope[];
  /** Not valid from then on. */
  readonly expires?: Date | undefined;
}

export const hashOf = (secret: string): Buffer => digest('sha256', secret, 'buffer');

/** @throws Error that says what is wrong and where (an RFC 6901 pointer); it doesn't know the file's name */
export function parseKeyFile(text: string): ApiKey[] {
  return parseDocument(text).keys.map(({ id, hash, scopes, expires }, index) => {
    const end = expires === undefined ? undefined : new Date(expires);
    // Well-formed and yet no instant: a leap second.
    if (Number.isNaN(end?.getTime()))
      throw new Error(`/keys/${index}/expires is not a time that can be used`);
    return { id, hash: Buffer.from(hash, 'base64url'), scopes, expires: end };
  });
}

function parseDocument(text: string): Static<typeof File> {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    // The parser's own message would quote what stands there.
    throw new Error('not JSON');
  }
  if (validator.Check(document)) return document;
  const [first] = validator.Errors(document).filter(({ keyword }) => keyword !== 'additionalProperties');
  if (first === undefined || first.keyword !== 'boolean') {
    throw new Error(`${first?.instancePath || 'the document'} ${first?.message ?? 'is not valid'}`);
  }
  throw new Error(`${first.instancePath} is not known here`);
}

export interface NewKey {
  readonly id: string;
  readonly scopes: readonly Scope[];
  readonly expires?: Date | undefined;
}

/**
 * Adds a key with a new secret of 256 bits and returns the secret (base64url), which is kept nowhere. The file
 * is replaced as a whole (mode 0600), or made; keys that are there stay, under the same id too.
 * @throws Error naming the file when what it holds, or the new key, isn't valid, or when another process is
 *   adding a key; the file is as it was
 */
export function addKey(file: string, key: NewKey): string {
  const target = existsSync(file) ? realpathSync(file) : file;
  const draft = `${target}.new`;
  const fd = openDraft(draft);
  try {
    const { text, secret } = withNewKey(target, key);
    writeFileSync(fd, text);
    fsyncSync(fd);
    renameSync(draft, target);
    syncFolder(dirname(target));
    return secret;
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
    throw new Error(`${draft}: another process is adding a key; if there is none, delete this file.`);
  }
}

function withNewKey(file: string, { id, scopes, expires }: NewKey): { text: string; secret: string } {
  const secret = randomBytes(32).toString('base64url');
  try {
    const { keys } = existsSync(file) ? parseDocument(readFileSync(file, 'utf8')) : { keys: [] };
    const end = expires === undefined ? {} : { expires: expires.toISOString() };
    const entry = { id, hash: hashOf(secret).toString('base64url'), scopes, ...end };
    const text = `${JSON.stringify({ keys: [...keys, entry] }, null, 2)}\n`;
    parseKeyFile(text);
    return { text, secret };
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

/** A rename is durable once its folder is; Windows can't open one, and needs no help. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
