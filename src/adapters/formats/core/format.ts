/** The interface of a format, such as JSON or XML. index.ts is the registry. */
import type { TObject } from 'typebox';
import type { Violation } from '../../../domain/base/errors.ts';

/** How deep a document may nest. A user nests four levels; readers recurse, so the stack sets a limit. */
export const maxDepth = 32;

/**
 * The most nodes in a document: values in JSON; elements, attributes and CDATA sections in XML. The largest user has about
 * 1,300, or 3,300 if every element has an `xsi:type` and every text is CDATA. Reading and validating a node costs many times
 * as much as reading its characters.
 */
export const maxNodes = 4096;

/** The most violations a reader collects, so that a hostile document can't fill the memory with them. */
export const maxReported = 64;

/** The names a format gives to documents of one schema: XML's root elements and namespace, JSON's list member. */
export interface Naming {
  readonly one: string;
  /** The root element of a list; in JSON the member that holds it. */
  readonly many: string;
  readonly namespace: string;
}

/** A document as read, with the members that the schema doesn't know and those that occurred twice. */
export interface Parsed {
  /** Plain values in the schema's shape, not validated: the validator reports wrong types. */
  readonly value: unknown;
  readonly violations: readonly Violation[];
}

/** Reads a body in steps. `next` throws UnreadableError. */
export type Reading = Generator<void, Parsed, void>;

export function runToEnd<T>(reading: Generator<void, T, void>): T {
  for (;;) {
    const step = reading.next();
    if (step.done) return step.value;
  }
}

/** One-based. Columns count UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export const documentStart: Position = { line: 1, column: 1 };

/** One item of a list, and where it begins. */
export interface ListItem extends Parsed {
  readonly position: Position;
}

export interface ListOptions {
  /** The media type's `charset` parameter, if it had one. */
  readonly charset?: string | undefined;
  /** The most UTF-16 code units of an item, or of the text between two. No more of the list is held in memory at a time. */
  readonly maxItemLength: number;
}

/** `whole` replaces a resource. `patch` changes it: members that are left out keep their values. */
export type DocumentKind = 'whole' | 'patch';

/** Reads and prints the documents of one schema in one format. */
export interface Codec<T> {
  /**
   * @param bytes the whole body, decoded from its content coding
   * @param charset the media type's `charset` parameter, if it had one
   * @throws UnreadableError with the position when it isn't well-formed
   */
  parse(bytes: Buffer, charset?: string): Parsed;
  /**
   * As `parse`, in steps of a few milliseconds at most, whatever the body holds, so that other requests are served in
   * between.
   */
  read(bytes: Buffer, charset?: string): Reading;
  /**
   * Reads a list in the form that `list` prints, item by item as it arrives, each as `parse` would. A total is passed over: of
   * a page it isn't the number of items. Closes the chunks when it ends early.
   * @throws UnreadableError with the position, after yielding the items before it: for an item that `parse` would refuse or
   * that is too large, for anything but a list, for anything beside the list, and when the chunks end too early
   */
  readList(
    chunks: AsyncIterable<Uint8Array>,
    options: ListOptions,
  ): AsyncGenerator<ListItem, void, undefined>;
  print(value: T): string;
  /** `print` and `list.item` give canonical JSON, so a stored user's text can be sent as it is. */
  readonly isCanonical: boolean;
  /** For texts that a store keeps. A format that has none prints the values in them. */
  readonly transcoder?: Transcoder;
  /** A list is what `open` gives, its items with `between` between them, and `close`. */
  readonly list: {
    /** @param total how many there are, if the list says so; it may hold a part of them */
    open(total?: number): string;
    readonly between: string;
    readonly close: string;
    item(value: T): string;
  };
}

/**
 * Prints from canonical JSON what `print` and `list.item` give for the values in it, to the character, without making those values.
 * Undefined for a text that it doesn't expect: its values are to be printed, or the error thrown that parsing it gives.
 */
export interface Transcoder {
  print(text: string): string | undefined;
  /** With `between` between them. */
  items(texts: readonly string[]): string | undefined;
}

/** How OpenAPI and the schemas describe the format. */
export interface FormatInContracts {
  /** How well an OpenAPI schema describes the format's documents: exactly, by its elements only, or not at all. */
  readonly body: 'exact' | 'elements' | 'nothing';
  /** A printed document as an OpenAPI example: a value if OpenAPI can show one, else the text. */
  exampleOf(printed: string): unknown;
  /** The schema language for what OpenAPI can't express, and its file extension. */
  readonly language?: { readonly name: string; readonly extension: string };
}

export interface Format {
  /** Short and stable: it is part of entity tags and settings. */
  readonly name: string;
  /** The media types that name it, each with the Content-Type of its responses. The first answers a wildcard. */
  readonly mediaTypes: readonly { readonly type: string; readonly contentType: string }[];
  /** Further media types, of bodies that are patches. A body of a type above is what its method makes it. */
  readonly patchTypes: readonly string[];
  /** For importers: in a table, for example, an empty cell keeps the value, so its items are patches. */
  readonly listItems: DocumentKind;
  /** The media type of a problem (RFC 9457 §3, §4), with its parameters. */
  readonly problemType: string;
  readonly inContracts: FormatInContracts;
  /** Part of entity tags. Raise it when the same value is printed differently, or caches keep the old bytes. */
  readonly revision: number;
  /** Called once for each schema, at the start. */
  codec<T>(schema: TObject, naming: Naming): Codec<T>;
}

/** The document isn't what its media type says. `detail` never repeats what was sent. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
  readonly position: Position | undefined;

  constructor(detail: string, position?: Position) {
    super(detail);
    this.position = position;
  }
}

/** @param maxLength as `ListOptions.maxItemLength` @param position where the item, or what stands between two, begins */
export const itemTooLong = (maxLength: number, position: Position): UnreadableError =>
  new UnreadableError(
    `an item of the list, or what stands between two, has more than ${maxLength} characters`,
    position,
  );
