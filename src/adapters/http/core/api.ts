/** An API is a value that `httpApp` mounts. The kernel runs the same checks for each and knows none by name. */
import type { TObject } from 'typebox';
import type { Scope } from '../../../domain/scopes.ts';
import type { DocumentKind, Format, Naming } from '../../formats/core/format.ts';
import type { DescribedProblemTypes, ProblemTypes } from '../problems/problem-types.ts';
import type { Problem } from '../problems/problems.ts';
import type { Context } from './context.ts';

export type Access = 'open' | 'credentials';

export interface Api {
  readonly name: string;
  /** With a slash at the start, none at the end. It and the paths below are the API's own, its 404s included; so are its routes, wherever they stand. */
  readonly prefixes: readonly string[];
  /** For all paths that are its own, unless a route says otherwise. */
  readonly access: Access;
  /** Refused (503) under overload. Probes aren't: they must answer then, too. */
  readonly isShed: boolean;
  /** Bytes after decoding. */
  readonly maxBodyBytes: number;
  /** Of documents and problems, in order of preference where nothing else decides. */
  readonly formats: readonly [Format, ...Format[]];
  /** Its own, beside those that any API has (problem-types.ts); by their codes. */
  readonly problems: ProblemTypes;
  /** Replaces problem details (RFC 9457). */
  readonly printProblem?: PrintProblem;
  readonly routes: readonly Route[];
}

/** An API that the OpenAPI document describes. Its problems are problem details, and each has a page. */
export interface DescribedApi extends Api {
  /** A sentence for the contract, where `name` is the tag. */
  readonly description: string;
  readonly problems: DescribedProblemTypes;
  readonly printProblem?: never;
  readonly routes: readonly DescribedRoute[];
}

export interface PrintedProblem {
  /** With its parameters. */
  readonly contentType: string;
  readonly content: string;
}

/** @param requestId a UUID: the log has more under it @param trace the id of the trace that the request belongs to, if any */
export type PrintProblem = (
  problem: Problem,
  requestId: string,
  format: Format,
  trace?: string,
) => PrintedProblem;

/** A kind of document, for codecs and for the contract. */
export interface DocumentType {
  /** In the contract: `Thing`; of a body `ThingInput` or `ThingPatch`. */
  readonly name: string;
  readonly schema: TObject;
  readonly naming: Naming;
  readonly isList?: boolean;
  /** Of a list: it says how many there are in all where that is asked for. */
  readonly hasTotal?: boolean;
  /** For the contract, in the place of the schema's own. */
  readonly description?: string;
  /** For the contract; of a list, one of its items. */
  readonly example: unknown;
}

/** How the kernel reads the body that a route takes. */
export interface RequestBody {
  /** A patch may come in media types of its own (RFC 7396 §4). */
  readonly kind: DocumentKind;
  /** After decoding, where it may be larger than the API's other bodies. */
  readonly maxBytes?: number;
}

/** A body that a route takes, for the contract too. */
export interface BodyType extends DocumentType, RequestBody {
  /** Members that are ignored, whatever they hold: a client may send back what it has read, and can't set these. */
  readonly ignores: readonly string[];
}

/** Request fields that a route heeds, beside those of every request. */
export type RequestHeader =
  | 'If-Match'
  | 'If-None-Match'
  | 'If-Modified-Since'
  | 'If-Unmodified-Since'
  | 'Content-Encoding'
  | 'Prefer';

/** Fields of a success, beside those of every answer. */
export type ResponseHeader =
  | 'Content-Encoding'
  | 'Content-Location'
  | 'Content-Security-Policy'
  | 'ETag'
  | 'Last-Modified'
  | 'Link'
  | 'Location'
  | 'Preference-Applied';

/** A success; problems stand for themselves. */
export interface Answer {
  readonly status: 200 | 201 | 204 | 303 | 304;
  readonly description: string;
  /** A document in every format of the API, or media types of its own; left out: no body. */
  readonly shows?: DocumentType | readonly string[];
  readonly headers: readonly ResponseHeader[];
  /** In some of these answers only. */
  readonly optionalHeaders?: readonly ResponseHeader[];
}

/** Of the path or the query, in OpenAPI's terms. */
export interface Parameter {
  readonly description?: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: string;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base path, in the router's terms: `/things/:id`. The log names a request by it. */
  readonly path: string;
  /** For its path, whatever the method; left out: the API's. */
  readonly access?: Access;
  /** Must be among the principal's (403); none where it is open. */
  readonly scope?: Scope;
  /** The answer's format is negotiated before the handler runs: 406 comes before all of its checks. */
  readonly isNegotiated: boolean;
  handle(ctx: Context): Promise<void> | void;
  readonly takes?: RequestBody;
}

/** A route with what the OpenAPI document says of it. */
export interface DescribedRoute extends Route {
  /** OpenAPI's operationId: camelCase, and no other route's. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** By the names that `path` has. */
  readonly params?: Readonly<Record<string, Parameter>>;
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly headers: readonly RequestHeader[];
  readonly takes?: BodyType;
  readonly answers: readonly Answer[];
  /** Codes, beside those that any route may answer with. */
  readonly problems: readonly string[];
}
