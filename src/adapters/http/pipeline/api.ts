/**
 * An API is a value that `httpApp` mounts. The kernel runs the same checks for each and knows none by name.
 *
 * The largest body of a request is `maxBodyBytes`, which the `index.ts` of each API sets, or `takes.maxBytes` of a route that takes more
 * (SCIM: `protocol/messages.ts`, and `types/group.ts` for groups); `read-body.ts` checks it.
 *
 * The other files of this folder are the steps of a request, whose order `../app.ts` has. What they pass on is in `context.ts`. Handlers
 * need that, `conditional.ts` (tags and preconditions), `codings.ts` and `respond.ts`. On a first reading skip `request-observer.ts` and
 * the types below that serve the contract alone: `DescribedApi`, `DescribedRoute`, `Answer`, `Parameter`.
 */
import type { TObject } from 'typebox';
import type { Scope } from '../../../domain/scopes.ts';
import type { BesideItems, Format, Naming } from '../../formats/port/format.ts';
import type { DescribedProblemTypes, ProblemTypes } from '../problems/problem-types.ts';
import type { PrintProblem } from '../problems/problems.ts';
import type { Context, RequestBody } from './context.ts';

/** The application's event when its server begins to close. */
export const closing = 'closing';

type Access = 'open' | 'credentials';

export interface Api {
  readonly name: string;
  /**
   * With a leading slash, without a trailing one. The API owns these paths and all paths below them, their 404s included, and the paths of its
   * routes.
   */
  readonly prefixes: readonly string[];
  /** For all its paths, except routes that set their own. */
  readonly access: Access;
  /** Requests are refused (503) under overload. Left out: they are; probes aren't, since they must also work then. */
  readonly isShed?: boolean;
  /** The maximum number of bytes after decoding, for routes without a limit of their own (`takes`). Left out: none takes a body. */
  readonly maxBodyBytes?: number;
  /** For documents and problems, in order of preference if nothing else decides. */
  readonly formats: readonly [Format, ...Format[]];
  /** Its own problems by code, besides those of every API (problem-types.ts). */
  readonly problems?: ProblemTypes;
  /** Replaces problem details (RFC 9457). */
  readonly printProblem?: PrintProblem;
  /** Names of query parameters are equal when their folded forms are. Left out: names are case-sensitive. */
  readonly foldParameter?: (name: string) => string;
  readonly routes: readonly Route[];
  /** It has a different contract (SCIM), so clients that are pinned to a version of ours see all members. */
  readonly isUnpinned?: boolean;
  /** Its documents have relative links, so a path with a trailing slash is another path. Otherwise it is the same path. */
  readonly hasRelativeLinks?: boolean;
  /** Called when the shutdown begins: the API must answer its waiting requests. */
  onClosing?(): void;
}

/** An API that the OpenAPI document describes. Its problems are problem details, and each has a page. */
export interface DescribedApi extends Api {
  /** A sentence for the contract, where `name` is the tag. */
  readonly description: string;
  readonly problems?: DescribedProblemTypes;
  readonly printProblem?: never;
  readonly routes: readonly DescribedRoute[];
}

/** A kind of document, for codecs and for the contract. */
export interface DocumentType {
  /** The name in the contract: `Thing`; for a body `ThingInput` or `ThingPatch`. */
  readonly name: string;
  readonly schema: TObject;
  readonly naming: Naming;
  readonly isList?: boolean;
  /** For a list: its members besides the items, which are simple values. */
  readonly beside?: TObject;
  /** Replaces the schema in the contract. */
  readonly description?: string;
  /** For the contract; for a list, an example of an item. */
  readonly example: unknown;
  /** For the contract, of a list. */
  readonly besideExample?: BesideItems;
}

/** A body that a route accepts; also for the contract. */
export interface BodyType extends DocumentType, RequestBody {
  /** Read-only members, which are ignored: a client may send back a document that it has read. */
  readonly ignores: readonly string[];
}

/** Request fields of a route, besides those of every request. */
export type RequestHeader =
  | 'If-Match'
  | 'If-None-Match'
  | 'If-Modified-Since'
  | 'If-Unmodified-Since'
  | 'Content-Encoding'
  | 'Last-Event-ID'
  | 'Prefer';

/** Fields of a success, besides those of every response. */
export type ResponseHeader =
  | 'Content-Encoding'
  | 'Content-Location'
  | 'Content-Security-Policy'
  | 'ETag'
  | 'Last-Modified'
  | 'Link'
  | 'Location'
  | 'Preference-Applied'
  | 'X-Accel-Buffering';

/** A success response. */
export interface Answer {
  readonly status: 200 | 201 | 204 | 303 | 304;
  readonly description: string;
  /** A document in every format of the API, or media types of its own; left out: no body. */
  readonly shows?: DocumentType | readonly string[];
  /** Another media type for the same content: a stream of events. */
  readonly streams?: string;
  readonly headers?: readonly ResponseHeader[];
  readonly optionalHeaders?: readonly ResponseHeader[];
}

/** A parameter of the path or the query, in OpenAPI's terms. */
export interface Parameter {
  readonly description?: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: string;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base path, in the router's syntax: `/things/:id`. The log identifies requests by it. */
  readonly path: string;
  /** For its path, with any method; left out: the API's. */
  readonly access?: Access;
  /** The required scope (403); none for an open route. */
  readonly scope?: Scope;
  /** The format is negotiated before the handler runs: 406 comes before its checks. */
  readonly isNegotiated: boolean;
  /** A media type besides those of the formats: if the client prefers it, the handler finds no choice of a format. */
  readonly alsoServes?: string;
  handle(ctx: Context): Promise<void> | void;
  /** The query parameters that it reads, by name. Others are refused (400), before the handler runs. Left out: it reads none. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** Other query parameters are ignored instead. */
  readonly ignoresOtherParameters?: boolean;
  /** What clients of an unsupported method may want instead: the end of 405's detail. */
  readonly instead?: string;
  readonly takes?: RequestBody;
}

/** A route with its description in the OpenAPI document. */
export interface DescribedRoute extends Route {
  /** OpenAPI's operationId: camelCase and unique. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** The parameters, by their names in `path`. */
  readonly params?: Readonly<Record<string, Parameter>>;
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly headers?: readonly RequestHeader[];
  readonly takes?: BodyType;
  readonly answers: readonly Answer[];
  /** Codes, besides those of every route. */
  readonly problems?: readonly string[];
}
