/** What a format is: a way to write one kind of document, made from a schema. index.ts lists those there are. */
import type { TObject } from 'typebox';
import type { Violation } from '../../domain/errors.ts';

/** How deep a document may nest. A user nests four levels; readers recurse. */
export const maxDepth = 32;

/**
 * How much a document may hold: values in JSON; elements, attributes and CDATA sections in XML. The largest user has some 600,
 * and 2,000 where each element says its `xsi:type` and each text is CDATA. Each costs its reader and the validator many times
 * what its characters do.
 */
export const maxNodes = 4096;

/** How many mistakes of form a reader keeps: what a hostile document repeats a thousand times takes no memory. */
export const maxReported = 64;

/** How the documents of one schema are called where a format names them: XML's root elements and namespace. */
export interface Naming {
  /** One of them. */
  readonly one: string;
  /** A list of them; in JSON the member that holds the list. */
  readonly many: string;
  readonly namespace: string;
}

/** What was understood, and what wasn't: names that the schema doesn't know and values that stood twice. */
export interface Parsed {
  /** Plain values shaped like the schema, not validated: a wrong type is left for the validator to name. */
  readonly value: unknown;
  readonly violations: readonly Violation[];
}

/** A body being read, step by step. `next` throws UnreadableError. */
export type Reading = Generator<void, Parsed, void>;

/** Reads to the end at once. */
export function wholeOf<T>(reading: Generator<void, T, void>): T {
  for (;;) {
    const step = reading.next();
    if (step.done) return step.value;
  }
}

/** Reads and prints the documents of one schema in one format. */
export interface Codec<T> {
  /**
   * @param bytes the whole body, decoded from its content coding
   * @param charset the media type's `charset` parameter, if it had one
   * @throws UnreadableError when it isn't well-formed in this format, naming the place
   */
  parse(bytes: Buffer, charset?: string): Parsed;
  /**
   * As `parse`, in steps of a few milliseconds at most, however long the body is and whatever it holds: between them others
   * may have their turn.
   */
  read(bytes: Buffer, charset?: string): Reading;
  print(value: T): string;
  /** Whether `print` and `list.item` give canonical JSON, so that a text that is there already goes out as it is. */
  readonly isCanonical: boolean;
  /** The parts of a list: `open`, each user by `item` with `between` between them, `close`. Together a whole document. */
  readonly list: {
    readonly open: string;
    readonly between: string;
    readonly close: string;
    item(value: T): string;
  };
}

export interface Format {
  /** Short and stable: stands in entity tags and settings. */
  readonly name: string;
  /** The media types it is asked for by, each with the Content-Type to answer with. The first is what `*` gets. */
  readonly mediaTypes: readonly { readonly type: string; readonly contentType: string }[];
  /** Media types beyond those above that a PATCH body in it may have. */
  readonly patchTypes: readonly string[];
  /** The media type of a problem in it (RFC 9457 §3, §4), with its parameters. */
  readonly problemType: string;
  /** Whether its documents are JSON: the contracts then show them as values, by the JSON Schema; else as text, by the XML Schema. */
  readonly isJson: boolean;
  /** Raised when a release prints the same user otherwise, so that caches don't keep the old bytes under a new tag. */
  readonly revision: number;
  /** Makes the reader and printer of a schema; done once for each schema, at the start. */
  codec<T>(schema: TObject, naming: Naming): Codec<T>;
}

/** The body isn't what its media type says it is. `position` is one-based; `detail` never repeats what was sent. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
  readonly position: { readonly line: number; readonly column: number } | undefined;

  constructor(detail: string, position?: { line: number; column: number }) {
    super(detail);
    this.position = position;
  }
}
