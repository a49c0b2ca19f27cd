/**
 * The interface of a format, such as JSON or XML. index.ts is the registry.
 *
 * `file-format.ts` is the interface of formats for files. The other files are parts that formats share: `schema-shapes.ts` for elements of
 * XML; for files `mistakes.ts` and `file-rows.ts`. A first reading may skip them all, and `../text/`.
 */

import type { TObject } from 'typebox';
import type { Violation } from '../../../domain/validation/errors.ts';
import { type Position, UnreadableError } from '../text/positions.ts';

/** The maximum nesting depth of a document. A user nests four levels. Readers recurse, so the stack needs a limit. */
export const maxDepth = 32;

/**
 * The maximum number of nodes in a document: values in JSON; elements, attributes and CDATA sections in XML. The largest user has about
 * 1,300, or 3,300 if every element has an `xsi:type` and every text is CDATA. Reading and validating a node costs many times as much as
 * reading its characters.
 */
export const maxNodes = 4096;

/** The maximum number of violations a reader collects, so that a hostile document can't fill the memory. */
export const maxReported = 64;

/** The names a format gives to documents of one schema: XML's root elements and namespace, JSON's list member. */
export interface Naming {
  readonly one: string;
  /** The root element of a list; in JSON the member that holds it. */
  readonly many: string;
  readonly namespace: string;
}

/** A document as read. The violations are unknown and duplicate members. */
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

/** `whole` replaces a resource. `patch` changes it: omitted members keep their values. */
export type DocumentKind = 'whole' | 'patch';

/** Members of a list beside its items; in XML they are attributes of the root element. Undefined ones are left out. */
export type BesideItems = Readonly<Record<string, string | number | boolean | undefined>>;

/** Reads and prints the documents of one schema in one format. */
export interface Codec<T> {
  /**
   * In steps of at most a few milliseconds for any body, so that other requests are served in between.
   * @param bytes the whole body, decoded from its content coding
   * @param charset the media type's `charset` parameter, if it had one
   * @throws UnreadableError with the position when it isn't well-formed
   */
  read(bytes: Buffer, charset?: string): Reading;
  print(value: T): string;
  /** `print` and `list.item` return canonical JSON, so the text that a store keeps can be sent unchanged. */
  readonly isCanonical: boolean;
  /** For the JSON that stores keep. Formats without a transcoder parse it and print the value. */
  readonly transcoder?: Transcoder;
  /** A list is `open`, its items separated by `between`, and `close`. */
  readonly list: {
    /** @param beside members beside the items, such as the total; the list may be one page */
    open(beside?: BesideItems): string;
    readonly between: string;
    readonly close: string;
    item(value: T): string;
  };
}

/**
 * Prints canonical JSON exactly as `print` and `list.item` print its value, without parsing it. Returns undefined for unexpected text: the
 * caller parses it, and prints the value or reports the parse error.
 */
export interface Transcoder {
  print(text: string): string | undefined;
  item(text: string): string | undefined;
}

/** How OpenAPI and the schemas describe the format. */
interface FormatInContracts {
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
  /** Media types, each with the Content-Type of its responses. A wildcard selects the first. */
  readonly mediaTypes: readonly { readonly type: string; readonly contentType: string }[];
  /** Further media types for bodies that are patches. For the types above, the method decides. */
  readonly patchTypes: readonly string[];
  /** The media type of a problem (RFC 9457 §3, §4), with its parameters. */
  readonly problemType: string;
  readonly inContracts: FormatInContracts;
  /** Part of entity tags. Increase it when the output for a value changes, or caches keep the old bytes. Without dots. */
  readonly revision: number | string;
  /** Called once per schema, at startup. @param limit of values in a document; maxNodes when left out */
  codec<T>(schema: TObject, naming: Naming, limit?: number): Codec<T>;
}

/** @param maxLength as `FileReadOptions.maxRowLength` @param position where the item, or the text between two items, begins */
export const itemTooLong = (maxLength: number, position: Position): UnreadableError =>
  new UnreadableError(
    `an item of the list, or the text between two items, has more than ${maxLength} characters`,
    position,
  );
