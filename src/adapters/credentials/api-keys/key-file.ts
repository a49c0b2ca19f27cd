/** The file of API keys. It holds only hashes: reading it reveals no key. */

import { hash as digest } from 'node:crypto';
import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Compile } from 'typebox/compile';
import { profileName, type Scope, scopes } from '../../../domain/scopes.ts';
import { instantOf } from '../../../domain/validation/plain-values.ts';
import { contractVersions } from '../../contracts/versions.ts';
import { parseJson } from '../watched-file.ts';

// RFC 7617 §2: a user-id has no colon, and no control characters.
const idPattern = /^[^:\p{Cc}]{1,128}$/u;
export const isKeyId = (text: string): boolean => idPattern.test(text);

const closed = { additionalProperties: false };
const Entry = Type.Object(
  {
    id: Type.String({ pattern: idPattern }),
    // 256 bits in 43 characters, the last of which has two bits that stand for nothing.
    hash: Type.String({ pattern: /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/ }),
    scopes: Type.Array(Type.Enum([...scopes]), { minItems: 1, uniqueItems: true }),
    expires: Type.Optional(Type.String({ format: 'date-time' })),
    contract: Type.Optional(Type.Enum([...contractVersions])),
    profile: Type.Optional(Type.String({ pattern: profileName })),
  },
  closed,
);
const File = Type.Object({ keys: Type.Array(Entry) }, closed);
export type KeyEntry = Static<typeof Entry>;
const validator = Compile(File);

/** Several keys may share an id: the old and the new one while a client changes over. */
export interface ApiKey {
  readonly id: string;
  /** SHA-256 of the secret's UTF-8 bytes. A slow hash isn't needed, since secrets are 256 random bits. */
  readonly hash: Buffer;
  readonly scopes: readonly Scope[];
  /** The key is invalid from then on. */
  readonly expires?: Date | undefined;
  /** As in `Principal`. */
  readonly contract?: string | undefined;
  /** As in `Principal`. */
  readonly profile?: string | undefined;
}

export const hashOf = (secret: string): Buffer => digest('sha256', secret, 'buffer');

/** @throws Error that says what is wrong and where (an RFC 6901 pointer), without the file's name */
export function parseKeyFile(text: string): ApiKey[] {
  return parseKeyDocument(text).keys.map(({ hash, expires, ...key }, index) => {
    const end = expires === undefined ? undefined : instantOf(expires);
    if (expires !== undefined && end === undefined)
      throw new Error(`/keys/${index}/expires is not a time that can be used`);
    return { ...key, hash: Buffer.from(hash, 'base64url'), expires: end };
  });
}

/** The entries as written. @throws Error as `parseKeyFile`, but accepts leap seconds */
export function parseKeyDocument(text: string): { keys: KeyEntry[] } {
  const document = parseJson(text);
  if (validator.Check(document)) return document;
  const [first] = validator.Errors(document).filter(({ keyword }) => keyword !== 'additionalProperties');
  if (first === undefined || first.keyword !== 'boolean')
    throw new Error(`${first?.instancePath || 'the document'} ${first?.message ?? 'is not valid'}`);
  throw new Error(`${first.instancePath} is not known here`);
}
