import { damagedResource } from '../validation/errors.ts';
import type { Meta, Resource } from './resource.ts';

/** Finds `id` and `meta` in a canonical text; any other text is parsed whole. */
const idAtBeginning = /^\{"id":"([^"\\]*)"/;
const metaAtEnd = /"meta":\{"created":"([^"\\]*)","lastModified":"([^"\\]*)","version":"([^"\\]*)"\}\}$/;
/** More than the length of `meta`, and less than most texts, so that little is searched. In UTF-16 code units. */
const tail = 256;

/** The last member of a document. Inside a text its quotes would be escaped. */
const lastMember = ',"meta":{';

/** What a store knows about the members of a resource that has members. */
export interface Membership {
  /** Left out: not told to this client. */
  readonly memberCount?: number | undefined;
  /** Counts the changes of members: an integer, 0 for a new resource. */
  readonly revision: number;
}

export const noMembers: Membership = { memberCount: 0, revision: 0 };

/**
 * A resource as stores take and return it. Its text is printed once when the resource is made; that text is measured, stored and sent,
 * and is immutable. Reads trust it: values are parsed from it only when they are read, and are not checked.
 */
export class Stored<T extends Resource> {
  /** Canonical JSON, as it is stored: members in the schema's order, without white space. */
  readonly text: string;
  readonly membership: Membership | undefined;
  // Not #private: a comparison member by member, as in tests, would then find any two resources equal.
  private parsed: T | undefined;
  private known: Meta | undefined;

  /** @param text canonical JSON @param membership of a resource that has members */
  constructor(text: string, membership?: Membership) {
    this.text = text;
    this.membership = membership;
  }

  /** Printed at once: later changes of `value` have no effect on it. */
  static of<T extends Resource>(value: T, membership?: Membership): Stored<T> {
    return new Stored<T>(JSON.stringify(value), membership);
  }

  /** The same value each time: read-only. @throws DomainError `damaged` if the text isn't JSON; `id`, `meta` and `copy` throw it, too */
  get value(): T {
    this.parsed ??= this.copy();
    return this.parsed;
  }

  /** A copy that the caller may change, or a store may keep. */
  copy(): T {
    return this.read(() => JSON.parse(this.text));
  }

  /** Canonical JSON for clients: with the number of members, if the kind has members. */
  get shown(): string {
    const memberCount = this.membership?.memberCount;
    if (memberCount === undefined) return this.text;
    const at = this.text.lastIndexOf(lastMember);
    if (at < 0) return JSON.stringify({ ...this.value, memberCount });
    return `${this.text.slice(0, at)},"memberCount":${memberCount}${this.text.slice(at)}`;
  }

  get id(): string {
    return idAtBeginning.exec(this.text)?.[1] ?? this.value.id;
  }

  get meta(): Meta {
    this.known ??= metaIn(this.text) ?? this.read(() => copyMeta(this.value.meta));
    return this.known;
  }

  /** The version that `replace` and `remove` of a store compare: a change of members alters it, too. */
  get version(): string {
    const { version } = this.meta;
    return this.membership === undefined ? version : `${version}.${this.membership.revision}`;
  }

  /** @param showText returns what a client sees of the text @throws DomainError `damaged` */
  showBy(showText: (text: string) => string): Stored<T> {
    const text = this.read(() => showText(this.text));
    return text === this.text ? this : new Stored<T>(text, this.membership);
  }

  /**
   * Runs a reader or printer of the resource, which fails when another program has stored something else.
   * @throws DomainError `damaged`, which names the resource: messages of readers may quote data
   */
  read<R>(reader: () => R): R {
    try {
      return reader();
    } catch (cause) {
      throw damagedResource(idAtBeginning.exec(this.text)?.[1] ?? this.parsed?.id, cause) ?? cause;
    }
  }
}

const copyMeta = ({ created, lastModified, version }: Meta): Meta => ({ created, lastModified, version });

function metaIn(text: string): Meta | undefined {
  const [, created, lastModified, version] = metaAtEnd.exec(text.slice(-tail)) ?? [];
  return created !== undefined && lastModified !== undefined && version !== undefined
    ? { created, lastModified, version }
    : undefined;
}
