/** What a route says of itself. */
import type { Operation } from '../../domain/scopes.ts';
import type { Context, Service } from './context.ts';
import type { ProblemCode } from './problems.ts';

/** A field that asks for something, beside those of every request. */
export type RequestHeader =
  | 'If-Match'
  | 'If-None-Match'
  | 'If-Modified-Since'
  | 'If-Unmodified-Since'
  | 'Content-Encoding'
  | 'Prefer';

/** The fields of a success, beside those of every answer. */
export type AnswerHeader =
  | 'Content-Encoding'
  | 'Content-Location'
  | 'ETag'
  | 'Last-Modified'
  | 'Link'
  | 'Location'
  | 'Preference-Applied';

/** One way in which a route succeeds. */
export interface Answer {
  readonly status: 200 | 201 | 204 | 304;
  readonly description: string;
  /** What its body is, if it has one. */
  readonly shows?: 'user' | 'users';
  readonly headers: readonly AnswerHeader[];
  /** Those that are there in some of these answers only. */
  readonly optionalHeaders?: readonly AnswerHeader[];
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base path. The log names a request by it. */
  readonly path: string;
  /** What it does, and by that the scope it takes (domain/scopes.ts). */
  readonly operation: Operation;
  /** Whether a success has a body, so that one must be acceptable. */
  readonly answersWithBody: boolean;
  readonly handler: (ctx: Context, service: Service) => Promise<void>;
  readonly summary: string;
  readonly description: string;
  /** The names of its query parameters. */
  readonly query: readonly string[];
  readonly headers: readonly RequestHeader[];
  /** What the body is, if it takes one. */
  readonly takes?: 'user' | 'patch';
  readonly answers: readonly Answer[];
  /** What else it answers with; its status stands in problems.ts. */
  readonly problems: readonly ProblemCode[];
}
