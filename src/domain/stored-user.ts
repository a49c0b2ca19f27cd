import type { User } from './user.ts';

/** Where `id` and `meta` stand in a canonical text; whatever stands otherwise is parsed whole. */
const idAtBeginning = /^\{"id":"([^"\\]*)"/;
const metaAtEnd = /"meta":\{"created":"([^"\\]*)","lastModified":"([^"\\]*)","version":"([^"\\]*)"\}\}$/;
/** More than `meta` takes, and less than most texts, so that little is searched. In UTF-16 code units. */
const tail = 256;

/**
 * A user as a store hands it out. It is parsed, or printed, only when somebody asks for that form of it: the text that a
 * store keeps can go to a client as it is.
 */
export class KeptUser {
  // Not #private: what compares objects member by member would take any two users for the same.
  private parsed: User | undefined;
  private printed: string | undefined;
  private known: User['meta'] | undefined;

  private constructor(user: User | undefined, text: string | undefined) {
    this.parsed = user;
    this.printed = text;
  }

  static of(user: User): KeptUser {
    return new KeptUser(user, undefined);
  }

  /** @param text canonical JSON, as `text` gave it */
  static fromText(text: string): KeptUser {
    return new KeptUser(undefined, text);
  }

  /** @throws Error when the text that was kept is damaged */
  get user(): User {
    this.parsed ??= parsed(this.printed ?? '');
    return this.parsed;
  }

  /** Canonical JSON: members in their order, nothing between them. What `maxUserBytes` counts. */
  get text(): string {
    this.printed ??= JSON.stringify(this.parsed);
    return this.printed;
  }

  get id(): string {
    return this.parsed?.id ?? idAtBeginning.exec(this.text)?.[1] ?? this.user.id;
  }

  get meta(): User['meta'] {
    this.known ??= this.parsed?.meta ?? metaIn(this.text) ?? this.user.meta;
    return this.known;
  }
}

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
