import { isObject } from './plain-values.ts';
import { damaged, soundUser } from './stored-user.ts';
import type { User } from './user.ts';

/** Where `id` and `meta` stand in a canonical text; whatever stands otherwise is parsed whole. */
const idAtBeginning = /^\{"id":"([^"\\]*)"/;
const metaAtEnd = /"meta":\{"created":"([^"\\]*)","lastModified":"([^"\\]*)","version":"([^"\\]*)"\}\}$/;
/** More than `meta` takes, and less than most texts, so that little is searched. In UTF-16 code units. */
const tail = 256;

/** What a store has found under an id, and can't vouch for. */
export interface Found {
  readonly id: string;
  /** The document as values of JSON; undefined when it isn't JSON. */
  readonly document: unknown;
  /** What the store compares; left out, what the document says. */
  readonly version?: string;
}

/**
 * A user as a store hands it out. It is parsed, or printed, only when somebody asks for that form of it: the text that a
 * store keeps can go to a client as it is.
 */
export class KeptUser {
  // Not #private: what compares objects member by member would take any two users for the same.
  private parsed: User | undefined;
  private printed: string | undefined;
  private known: User['meta'] | undefined;
  private found: Found | undefined;

  private constructor(user: User | undefined, text: string | undefined, found?: Found) {
    this.parsed = user;
    this.printed = text;
    this.found = found;
  }

  static of(user: User): KeptUser {
    return new KeptUser(user, undefined);
  }

  /** @param text canonical JSON, as `text` gave it */
  static fromText(text: string): KeptUser {
    return new KeptUser(undefined, text);
  }

  /** Of a document that something else may have written: it is judged when something of it is asked for. */
  static from(found: Found): KeptUser {
    return new KeptUser(undefined, undefined, found);
  }

  /** @throws DomainError `damaged-user`, as do `text` and `meta` */
  get user(): User {
    this.judge();
    this.parsed ??= parsed(this.printed ?? '');
    return this.parsed;
  }

  /** Canonical JSON: members in their order, nothing between them. What `maxUserBytes` counts. */
  get text(): string {
    this.judge();
    this.printed ??= JSON.stringify(this.parsed);
    return this.printed;
  }

  /** There whatever the document is. */
  get id(): string {
    return this.found?.id ?? this.parsed?.id ?? idAtBeginning.exec(this.text)?.[1] ?? this.user.id;
  }

  get meta(): User['meta'] {
    this.judge();
    this.known ??= this.parsed?.meta ?? metaIn(this.text) ?? this.user.meta;
    return this.known;
  }

  /** What a store compares when this is to be replaced or removed; empty when the document is damaged and has none. */
  get version(): string {
    if (this.found === undefined) return this.meta.version;
    return this.found.version ?? versionOf(this.found.document);
  }

  get isDamaged(): boolean {
    try {
      this.judge();
      return false;
    } catch {
      return true;
    }
  }

  /** As far as it can be read, of whatever there is: for putting a whole user in a damaged one's place. */
  get remains(): { readonly active?: unknown; readonly meta?: unknown } {
    if (this.found === undefined) return this.user;
    return isObject(this.found.document) ? this.found.document : {};
  }

  private judge(): void {
    if (this.found === undefined || this.parsed !== undefined) return;
    const { id, document } = this.found;
    if (document === undefined) throw damaged(id, 'it is not JSON');
    const { user, text } = soundUser(id, document);
    this.parsed = user;
    this.printed = text;
  }
}

const versionOf = (document: unknown): string => {
  const meta = isObject(document) ? document.meta : undefined;
  return isObject(meta) && typeof meta.version === 'string' ? meta.version : '';
};

function parsed(text: string): User {
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
