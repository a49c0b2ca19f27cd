/** What the steps of the kernel tell each other, and the handlers, about a request. */
import type { ParameterizedContext } from 'koa';
import type { Principal } from '../../domain/ports.ts';
import type { Route } from './api.ts';
import type { Holding } from './body-memory.ts';
import type { Mounted } from './mount.ts';
import type { Choice } from './negotiation.ts';
import type { Load } from './overload.ts';

export interface State {
  /** A UUID: stands in the log, in `X-Request-Id` and in a problem's `instance`. */
  requestId: string;
  /** Whose path it is; set before anything can fail. */
  mounted: Mounted;
  /** Once there is one. The log names its template, never the path itself: what identifies a person stays out of logs. */
  route?: Pick<Route, 'path' | 'takes'>;
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

/** @throws Error when it isn't there, a fault of ours: the step that sets it comes first in app.ts */
export function assertPresent<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a step stands in the wrong order');
  return value;
}
