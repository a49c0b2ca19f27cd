/** What a request carries through the kernel: each step stores values here for later steps and the handlers. */
import type { IncomingMessage } from 'node:http';
import type { Middleware, ParameterizedContext } from 'koa';
import type { Caller } from '../../../domain/ports.ts';
import type { DomainError } from '../../../domain/validation/errors.ts';
import type { DocumentKind, Format } from '../../formats/port/format.ts';
import type { Choice, Negotiator } from '../headers/negotiation.ts';
import type { TraceContext } from '../headers/trace-context.ts';
import type { ProblemTypes } from '../problems/problem-types.ts';
import type { PrintProblem } from '../problems/problems.ts';
import type { Query } from './query.ts';
import type { BodyMemory, BodyReservation, Inflater } from './request-budget.ts';
import type { ResponseBudget } from './response-budget.ts';

export interface State {
  /** A UUID for the log, `X-Request-Id` and a problem's `instance`. */
  requestId: string;
  traceContext?: TraceContext;
  /** The id of this trace, or a new one if requests are traced; for the log and a problem's `instance`. */
  trace?: string;
  /** Set before anything can fail. */
  mounted: MountedApi;
  /** Set once the route is found. The log has its template, never the path: personal data stays out of logs. */
  route?: { readonly path: string; readonly takes?: RequestBody };
  /** For the log: the ids of resources that a write has changed, or whose history was read. */
  resources?: string[];
  /** A problem's code, for the log. */
  problem?: string;
  problemFormat?: string;
  /** The query parameters that the route reads, once the handler runs. */
  query: Query;
  /** The refusal of the credentials (401, 403). */
  refusal?: DomainError;
  /** Bytes of the body before decoding, once it is read. */
  requestBytes?: number;
  /** Bytes of the content as sent. */
  responseBytes?: number;
  /** Left out where the path is open. */
  principal?: Caller;
  /** Checks the credentials again, for a request that waits; sets `principal`. @throws as at first */
  authenticate?: Authenticate;
  /** The answer's format, once negotiated. */
  choice?: Choice;
  /** Left out for an API that isn't shed under load. */
  load?: Load;
  /** Releases the request's slot for authentication or work, while it has one. */
  leavePlace?: (() => void) | undefined;
  bodyReservation?: BodyReservation;
  /** The request body's format, once known: preferred for the answer between equals. */
  bodyChoice?: Choice;
}

export type Context = ParameterizedContext<State>;
export type Next = () => Promise<unknown>;

/** @throws any error that ends the request; the error handler turns it into the response */
export type Step = (ctx: Context) => void;

/** Asynchronous only if the keys for the credentials have to be fetched. */
export type Authenticate = (ctx: Context) => Promise<void> | undefined;

/** How the kernel reads a route's body. */
export interface RequestBody {
  /** A patch may come in media types of its own (RFC 7396 §4). */
  readonly kind: DocumentKind;
  /** After decoding, where it may be larger than the API's other bodies. */
  readonly maxBytes?: number;
}

/** A body after decoding, with the format and the charset that its Content-Type names. */
export interface ReceivedBody {
  readonly bytes: Buffer;
  readonly format: Format;
  readonly charset: string | undefined;
}

/** For handlers: it keeps slow clients from blocking others and from taking unbounded memory. */
export interface Load {
  readonly bodies: BodyMemory & Inflater;
  /**
   * Receives a body, which doesn't count as work meanwhile, and waits for this write's turn.
   * @throws HttpProblem 503 if this write or an earlier one of the client waits too long, or there is too much work afterwards
   */
  awaitBody<T>(ctx: Context, receive: () => Promise<T>): Promise<T>;
  /** To be called before an answer is streamed; counts it until its connection no longer needs it. @throws HttpProblem 503 */
  admitStream(ctx: Context): void;
  /** To be called before a request waits for an event: from now on it counts as a follower, not as work. @throws HttpProblem 503 */
  admitFollower(ctx: Context): void;
  readonly responses: ResponseBudget;
}

/** The API that owns the request's path, as dispatch.ts prepares it. */
export interface MountedApi {
  readonly name: string;
  readonly isShed: boolean;
  readonly problems: ProblemTypes;
  readonly printProblem: PrintProblem;
  readonly negotiator: Negotiator;
  /** @throws HttpProblem 415, 413, 400, in this order */
  readonly readBody: (ctx: Context) => Promise<ReceivedBody>;
  /** Runs the path's route. @throws HttpProblem 404, 405, 406; DomainError `insufficient-scope`; what handlers throw */
  readonly dispatch: Middleware<State>;
  readonly hasRelativeLinks: boolean;
  readonly isUnpinned: boolean;
  /** An open path ignores credentials. */
  isOpen(path: string): boolean;
}

/** The name of the client in queues: the principal's id. All requests without credentials count as one client. */
export const clientOf = ({ state }: Context): string => state.principal?.id ?? '';

/** The name of the client in queues before the request is authenticated: a client that sends wrong credentials isn't their owner. */
export const senderOf = ({ headers }: IncomingMessage): string => headers.authorization ?? '';

/** @throws Error when it is missing, which is a bug: an earlier step in app.ts sets it */
export function assertPresent<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a step stands in the wrong order');
  return value;
}
