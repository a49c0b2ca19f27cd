import { isObject } from '../base/plain-values.ts';
import { checkDocument, damagedUser } from './document-check.ts';
import type { User } from './user.ts';

/** Finds `id` and `meta` in a canonical text; any other text is parsed whole. */
const idAtBeginning = /^\{"id":"([^"\\]*)"/;
const metaAtEnd = /"meta":\{"created":"([^"\\]*)","lastModified":"([^"\\]*)","version":"([^"\\]*)"\}\}$/;
/** More than `meta` takes, and less than most texts, so that little is searched. In UTF-16 code units. */
const tail = 256;

/** A document that another program may have written. */
export interface FoundDocument {
  readonly id: string;
  /** The document as values of JSON; undefined when it isn't JSON. */
  readonly document: unknown;
  /** The version that the store compares; left out, the document's own `meta.version`. */
  readonly version?: string;
  /** The sort key under which a sorted list found it, whatever the document says now; empty for none. */
  readonly sortKey?: string;
}

/**
 * A user as stores take and return it. Its text is printed once when the user is made; that text is measured, stored and sent, and
 * is immutable. Values are parsed from it only when they are read.
 */
export class StoredUser {
  // Not #private: a comparison member by member, as in tests, would then find any two users equal.
  private parsed: User | undefined;
  private printed: string | undefined;
  private known: User['meta'] | undefined;
  private readonly found: FoundDocument | undefined;

  private constructor(text: string | undefined, found?: FoundDocument) {
    this.printed = text;
    this.found = found;
  }

  /** Printed at once: later changes of `user` have no effect on it. */
  static of(user: User): StoredUser {
    return new StoredUser(JSON.stringify(user));
  }

  /** @param text canonical JSON, as `text` gave it */
  static fromText(text: string): StoredUser {
    return new StoredUser(text);
  }

  /** From a document that another program may have written: it is checked on first use. */
  static fromDocument(found: FoundDocument): StoredUser {
    return new StoredUser(undefined, found);
  }

  /** The same value each time: read-only. @throws DomainError `damaged-user`, as do `text`, `meta` and `copy` */
  get user(): User {
    this.check();
    this.parsed ??= parse(this.text);
    return this.parsed;
  }

  /** A copy that the caller may change, or a store may keep. */
  copy(): User {
    return parse(this.text);
  }

  /** Canonical JSON: members in the schema's order, without white space. `maxUserBytes` limits it. */
  get text(): string {
    this.check();
    return this.printed ?? '';
  }

  /** Also of a damaged document. */
  get id(): string {
    return this.found?.id ?? this.parsed?.id ?? idAtBeginning.exec(this.text)?.[1] ?? this.user.id;
  }

  get meta(): User['meta'] {
    this.check();
    this.known ??= this.parsed?.meta ?? metaIn(this.text) ?? this.user.meta;
    return this.known;
  }

  /** For `replace` and `remove` of a store, which compare it; empty when the document is damaged and has none. */
  get version(): string {
    if (this.found === undefined) return this.meta.version;
    return this.found.version ?? versionOf(this.found.document);
  }

  get isDamaged(): boolean {
    try {
      this.check();
      return false;
    } catch {
      return true;
    }
  }

  /** See `FoundDocument`; undefined where the document itself says it. */
  get sortKey(): string | undefined {
    return this.found?.sortKey;
  }

  /** The readable parts: for replacing a damaged user. */
  get remains(): { readonly active?: unknown; readonly meta?: unknown } {
    if (this.found === undefined) return this.user;
    return isObject(this.found.document) ? this.found.document : {};
  }

  private check(): void {
    if (this.found === undefined || this.parsed !== undefined) return;
    const { id, document } = this.found;
    if (document === undefined) throw damagedUser(id, 'it is not JSON');
    const { user, text } = checkDocument(id, document);
    this.parsed = user;
    this.printed = text;
  }
}

const versionOf = (document: unknown): string => {
  const meta = isObject(document) ? document.meta : undefined;
  return isObject(meta) && typeof meta.version === 'string' ? meta.version : '';
};

function parse(text: string): User {
  try {
    return JSON.parse(text) as User;
  } catch {
    // The parser's own error quotes personal data.
    throw new Error('What is stored of a user is not JSON.');
  }
}

function metaIn(text: string): User['meta'] | undefined {
  const [, created, lastModified, version] = metaAtEnd.exec(text.slice(-tail)) ?? [];
  return created !== undefined && lastModified !== undefined && version !== undefined
    ? { created, lastModified, version }
    : undefined;
}
