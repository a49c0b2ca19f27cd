/** The file of API keys: hashes only, so that reading it gives nobody a key. */
import { hash as digest } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Scope, scopes } from '../../domain/scopes.ts';

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
export type KeyEntry = Static<typeof Entry>;
const validator = Compile(File);
const times = Compile(Type.String({ format: 'date-time' }));

/** RFC 3339, with a zone; undefined for anything else, a leap second too: it is well-formed and no instant. */
export function instantOf(text: string): Date | undefined {
  const time = new Date(text);
  return times.Check(text) && !Number.isNaN(time.getTime()) ? time : undefined;
}

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
    const end = expires === undefined ? undefined : instantOf(expires);
    if (expires !== undefined && end === undefined)
      throw new Error(`/keys/${index}/expires is not a time that can be used`);
    return { id, hash: Buffer.from(hash, 'base64url'), scopes, expires: end };
  });
}

/** As it is written. @throws Error as `parseKeyFile` does, but for times that are none */
export function parseDocument(text: string): { keys: KeyEntry[] } {
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
