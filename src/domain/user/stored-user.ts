import { isObject } from '../base/plain-values.ts';
import { checkDocument, damagedUser } from './document-check.ts';
import type { User } from './user.ts';

/** Where `id` and `meta` stand in a canonical text; whatever stands otherwise is parsed whole. */
const idAtBeginning = /^\{"id":"([^"\\]*)"/;
const metaAtEnd = /"meta":\{"created":"([^"\\]*)","lastModified":"([^"\\]*)","version":"([^"\\]*)"\}\}$/;
/** More than `meta` takes, and less than most texts, so that little is searched. In UTF-16 code units. */
const tail = 256;

/** A document that something else than the service may have written. */
export interface FoundDocument {
  readonly id: string;
  /** The document as values of JSON; undefined when it isn't JSON. */
  readonly document: unknown;
  /** The version that the store compares; left out, the document's own `meta.version`. */
  readonly version?: string;
  /** Where a sorted list has found it, whatever the document says by now: the sort's key, empty for none. */
  readonly sortKey?: string;
}

/**
 * A user as a store takes it and gives it. Its text is what counts: printed once when the user is made, that text is what is
 * measured, stored and sent, and it can't be changed. Values are parsed from it only when somebody asks for them.
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

  /** Printed here and now: later changes of `user` don't reach it. */
  static of(user: User): StoredUser {
    return new StoredUser(JSON.stringify(user));
  }

  /** @param text canonical JSON, as `text` gave it */
  static fromText(text: string): StoredUser {
    return new StoredUser(text);
  }

  /** Of a document that something else may have written: it is checked when something of it is first asked for. */
  static fromDocument(found: FoundDocument): StoredUser {
    return new StoredUser(undefined, found);
  }

  /** The same value each time: to be looked at only. @throws DomainError `damaged-user`, as do `text`, `meta` and `copy` */
  get user(): User {
    this.check();
    this.parsed ??= parse(this.text);
    return this.parsed;
  }

  /** A value of the caller's own: to be changed, or held by a store. */
  copy(): User {
    return parse(this.text);
  }

  /** Canonical JSON: members in their order, nothing between them. What `maxUserBytes` counts. */
  get text(): string {
    this.check();
    return this.printed ?? '';
  }

  /** There whatever the document is. */
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

  /** As far as it can be read, of whatever there is: for putting a whole user in a damaged one's place. */
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
    // The parser's own error quotes the text.
    throw new Error('What is stored of a user is not JSON.');
  }
}

function metaIn(text: string): User['meta'] | undefined {
  const [, created, lastModified, version] = metaAtEnd.exec(text.slice(-tail)) ?? [];
  return created !== undefined && lastModified !== undefined && version !== undefined
    ? { created, lastModified, version }
    : undefined;
}
