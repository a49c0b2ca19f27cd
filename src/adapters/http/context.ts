/** What the middleware of this adapter tell each other about a request. */
import type { ParameterizedContext } from 'koa';
import type { Principal } from '../../domain/ports.ts';
import type { User } from '../../domain/user.ts';
import type { Users } from '../../domain/users.ts';
import type { Codec, Format } from '../formats/format.ts';
import type { Holding } from './body-memory.ts';
import type { Choice } from './negotiation.ts';
import type { Load } from './overload.ts';
import type { Urls } from './urls.ts';
import type { UserPrinter } from './user-printer.ts';

export interface State {
  /** A UUID: stands in the log, in `X-Request-Id` and in a problem's `instance`. */
  requestId: string;
  /** The route's template, never the path itself: what identifies a person stays out of logs. */
  route?: string;
  /** A problem's code, for the log. */
  problem?: string;
  principal?: Principal;
  /** What the answer will be in, once negotiated. */
  choice?: Choice;
  /** What is being done at once, this request included. */
  load?: Load;
  /** What the request body holds, once it arrives. */
  body?: Holding;
  /** What the request body is in, once known: preferred for the answer between equals. */
  bodyChoice?: Choice;
}

export type Context = ParameterizedContext<State>;
export type Next = () => Promise<unknown>;

/** What the handlers work with, made once at the start. */
export interface Service {
  readonly users: Users;
  readonly url: Urls;
  readonly codec: (format: Format) => Codec<User>;
  readonly printer: (format: Format) => UserPrinter;
  /** What is preferred where a client accepts several alike. */
  readonly defaultChoice: Choice;
  readonly requireIfMatch: boolean;
  /** The Cache-Control of reads. */
  readonly cacheControl: string;
}

/** A fault of ours when it isn't there: the middleware that sets it comes first in app.ts. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a middleware stands in the wrong order');
  return value;
}
