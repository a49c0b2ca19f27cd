/** A request's state: each step of the kernel stores values here for later steps and the handlers. */
import type { ParameterizedContext } from 'koa';
import type { Caller } from '../../../domain/ports.ts';
import type { BodyReservation } from '../body/request-budget.ts';
import type { Choice } from '../headers/negotiation.ts';
import type { TraceContext } from '../headers/trace-context.ts';
import type { Route } from './api.ts';
import type { MountedApi } from './mount.ts';
import type { Load } from './overload.ts';

export interface State {
  /** A UUID for the log, `X-Request-Id` and a problem's `instance`. */
  requestId: string;
  /** The trace that the request says it belongs to. */
  traceContext?: TraceContext;
  /** That trace's id, or a new one where requests are traced; for the log and a problem's `instance`. */
  trace?: string;
  /** The API that owns the path; set before anything can fail. */
  mounted: MountedApi;
  /** Once it is found. The log has its template, never the path: personal data stays out of logs. */
  route?: Pick<Route, 'path' | 'takes'>;
  /** A problem's code, for the log. */
  problem?: string;
  /** The name of the problem's format. */
  problemFormat?: string;
  /** The reason of a 401, from a fixed list. */
  credentialFault?: string;
  /** Of the body, before decoding; once it is read. */
  requestBytes?: number;
  /** Of the content, as it is sent. */
  responseBytes?: number;
  /** Left out where the path is open. */
  principal?: Caller;
  /** The answer's format, once negotiated. */
  choice?: Choice;
  /** Left out for an API that isn't shed under load. */
  load?: Load;
  /** Releases the request's slot for authentication or work, while it has one. */
  leavePlace?: () => void;
  /** The memory of the request body, once it arrives. */
  bodyReservation?: BodyReservation;
  /** The request body's format, once known: preferred for the answer between equals. */
  bodyChoice?: Choice;
}

export type Context = ParameterizedContext<State>;
export type Next = () => Promise<unknown>;

/** The client as which a request waits in queues: the principal's id. Requests without credentials count as one client. */
export const clientOf = ({ state }: Context): string => state.principal?.id ?? '';

/** @throws Error when it is missing, which is a bug: an earlier step in app.ts sets it */
export function assertPresent<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a step stands in the wrong order');
  return value;
}
