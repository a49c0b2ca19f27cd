import { isObject } from '../base/plain-values.ts';
import type { CheckedDocument } from './document-check.ts';
import type { Meta, Resource } from './resource.ts';

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
 * A resource as stores take and return it. Its text is printed once when the resource is made; that text is measured, stored and sent,
 * and is immutable. Values are parsed from it only when they are read.
 */
export abstract class Stored<T extends Resource> {
  // Not #private: a comparison member by member, as in tests, would then find any two resources equal.
  private parsed: T | undefined;
  private printed: string | undefined;
  private known: Meta | undefined;
  private readonly found: FoundDocument | undefined;

  /** @param text canonical JSON @param found a document that another program may have written: it is checked on first use */
  constructor(text: string | undefined, found?: FoundDocument) {
    this.printed = text;
    this.found = found;
  }

  /** @throws DomainError `damaged-…`; also for `undefined`, which stands for a document that isn't JSON */
  protected abstract checkDocument(id: string, document: unknown): CheckedDocument<T>;

  /** The same value each time: read-only. @throws DomainError `damaged-…`, as do `text`, `meta` and `copy` */
  get value(): T {
    this.check();
    this.parsed ??= this.copy();
    return this.parsed;
  }

  /** A copy that the caller may change, or a store may keep. */
  copy(): T {
    try {
      return JSON.parse(this.text) as T;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      // The parser's own error quotes personal data.
      throw new Error('What is stored is not JSON.');
    }
  }

  /** Canonical JSON, as it is stored: members in the schema's order, without white space. */
  get text(): string {
    this.check();
    return this.printed ?? '';
  }

  /** Canonical JSON, as clients see it: a kind may add what its store keeps beside the document. */
  get shown(): string {
    return this.text;
  }

  /** Also of a damaged document. */
  get id(): string {
    return this.found?.id ?? this.parsed?.id ?? idAtBeginning.exec(this.text)?.[1] ?? this.value.id;
  }

  get meta(): Meta {
    this.check();
    this.known ??= this.parsed?.meta ?? metaIn(this.text) ?? this.value.meta;
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

  /** The readable parts: for replacing a damaged resource. */
  get remains(): Readonly<Record<string, unknown>> {
    if (this.found === undefined) return { ...(this.value as object) };
    return isObject(this.found.document) ? this.found.document : {};
  }

  private check(): void {
    if (this.found === undefined || this.parsed !== undefined) return;
    const { value, text } = this.checkDocument(this.found.id, this.found.document);
    this.parsed = value;
    this.printed = text;
  }
}

const versionOf = (document: unknown): string => {
  const meta = isObject(document) ? document.meta : undefined;
  return isObject(meta) && typeof meta.version === 'string' ? meta.version : '';
};

function metaIn(text: string): Meta | undefined {
  const [, created, lastModified, version] = metaAtEnd.exec(text.slice(-tail)) ?? [];
  return created !== undefined && lastModified !== undefined && version !== undefined
    ? { created, lastModified, version }
    : undefined;
}
