/** What an API is to the kernel: a value that `httpApp` mounts. The kernel runs the same checks for each and knows none by name. */
import type { TObject } from 'typebox';
import type { Scope } from '../../domain/scopes.ts';
import type { DocumentKind, Format, Naming } from '../formats/format.ts';
import type { Context } from './context.ts';
import type { ProblemTypes } from './problem-types.ts';
import type { Problem } from './problems.ts';

export type Access = 'open' | 'credentials';

export interface Api {
  /** Its tag in the contract. */
  readonly name: string;
  /** What it is for, in a sentence for the contract. */
  readonly description: string;
  /** Paths below these, whole segments, are its own: what has no route there is its 404. Its routes are its own in any case. */
  readonly prefixes: readonly string[];
  /** Whether credentials are asked for: wherever the path is its own, unless a route says otherwise. */
  readonly access: Access;
  /** Refused (503) while there is too much to do. Probes aren't: they shall say so. */
  readonly isShed: boolean;
  /** The most a body takes after decoding, in bytes. */
  readonly maxBodyBytes: number;
  /** What its documents and its problems come in, in order of preference where nothing else decides. */
  readonly formats: readonly [Format, ...Format[]];
  /** The problems of its own, beside those that any API has; by their codes. */
  readonly problems: ProblemTypes;
  /** How a failure is shown; left out: as RFC 9457 has it. */
  readonly failures?: { readonly print: PrintProblem; readonly document: DocumentType };
  readonly routes: readonly Route[];
}

/** A failure as it is sent. */
export interface PrintedProblem {
  /** With its parameters. */
  readonly contentType: string;
  readonly content: string;
}

/** @param requestId a UUID: the log has more under it */
export type PrintProblem = (problem: Problem, requestId: string, format: Format) => PrintedProblem;

/** A kind of document, by its schema: what a body is read by, and what the contract says of it. */
export interface DocumentType {
  /** In the contract: `Thing`; of a body `ThingInput` or `ThingPatch`. */
  readonly name: string;
  readonly schema: TObject;
  readonly naming: Naming;
  readonly isList?: boolean;
  /** In the place of the schema's own. */
  readonly description?: string;
  /** One of them, for the contract; of a list, one of its items. */
  readonly example: unknown;
}

/** A body that a route takes. */
export interface BodyType extends DocumentType {
  /** A patch may come in media types of its own (RFC 7396 §4). */
  readonly kind: DocumentKind;
  /** Members that are read over, whatever they hold: what a client can't set it may send back. */
  readonly ignores: readonly string[];
}

/** A field that asks for something, beside those of every request. */
export type RequestHeader =
  | 'If-Match'
  | 'If-None-Match'
  | 'If-Modified-Since'
  | 'If-Unmodified-Since'
  | 'Content-Encoding'
  | 'Prefer';

/** The fields of a success, beside those of every answer. */
export type ResponseHeader =
  | 'Content-Encoding'
  | 'Content-Location'
  | 'Content-Security-Policy'
  | 'ETag'
  | 'Last-Modified'
  | 'Link'
  | 'Location'
  | 'Preference-Applied';

/** One way in which a route succeeds. */
export interface Answer {
  readonly status: 200 | 201 | 204 | 303 | 304;
  readonly description: string;
  /** What its body is, if it has one: a document in every format, or of media types of its own. */
  readonly shows?: DocumentType | readonly string[];
  readonly headers: readonly ResponseHeader[];
  /** Those that are there in some of these answers only. */
  readonly optionalHeaders?: readonly ResponseHeader[];
}

/** A parameter of the path or the query, as OpenAPI has it. */
export interface Parameter {
  readonly description?: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: string;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base path, in the router's own terms: `/things/:id`. The log names a request by it. */
  readonly path: string;
  /** Its name in the contract: camelCase, and no other route's. */
  readonly id: string;
  /** For its path, whatever the method; the API's own when left out. */
  readonly access?: Access;
  /** What it takes; none where it is open. */
  readonly scope?: Scope;
  /** Whether the answer is negotiated, so that 406 comes before all that the handler does. */
  readonly isNegotiated: boolean;
  handle(ctx: Context): Promise<void> | void;
  readonly summary: string;
  readonly description?: string;
  /** Those of the path, by the names that `path` has. */
  readonly params?: Readonly<Record<string, Parameter>>;
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly headers: readonly RequestHeader[];
  readonly takes?: BodyType;
  readonly answers: readonly Answer[];
  /** What else it answers with, beside what any route may. */
  readonly problems: readonly string[];
}
