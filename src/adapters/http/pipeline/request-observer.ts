/** The events of a request that the kernel reports to its observers: metrics, traces and the log. */
import type { DomainError } from '../../../domain/validation/errors.ts';
import type { Context, Step } from './context.ts';

/** A request whose response was sent, or whose client disconnected. */
export interface EndedRequest {
  /** A UUID. */
  readonly id: string;
  /** As sent: any token. */
  readonly method: string;
  /** The route's template; undefined without a matching route. */
  readonly route: string | undefined;
  /** Undefined when there was no answer. */
  readonly status: number | undefined;
  /** The name of the answer's format; undefined for what was not negotiated. */
  readonly format: string | undefined;
  readonly seconds: number;
  /** The code of the problem in its answer. */
  readonly problem: string | undefined;
  /** The refusal of the credentials (401, 403). The fault of a 401 is from a fixed list; the message has no secret. */
  readonly refusal: DomainError | undefined;
  /** Bytes of the body before decoding; undefined when none was read. */
  readonly requestBytes: number | undefined;
  /** Bytes of the content as sent, encoded; undefined when there was no answer. */
  readonly responseBytes: number | undefined;
  /** False if the client disconnected before the end. */
  readonly whole: boolean;
  readonly client: string | undefined;
  /** The access profile of the credentials, which the service has. */
  readonly profile: string | undefined;
  /** The ids of resources that it has changed, or whose history it has read; undefined for any other request. */
  readonly resources: readonly string[] | undefined;
  readonly trace: string | undefined;
}

export interface RequestObserver {
  /** Called when the head has arrived and only id, method and trace are known. @returns called when the request has ended */
  begin?(ctx: Context): ((ended: EndedRequest) => void) | undefined;
  /** Called for bytes that aren't a request, and for refused connections. @param reason a problem's code, or another value of a fixed list */
  refuse?(reason: string): void;
}

function describe({ state, req, res }: Context, start: number): EndedRequest {
  const { requestId, route, problem, principal, choice, problemFormat, trace } = state;
  // Koa's initial status, 404, was not sent.
  const isAnswered = res.headersSent;
  return {
    id: requestId,
    method: req.method ?? '',
    route: route?.path,
    status: isAnswered ? res.statusCode : undefined,
    format: problemFormat ?? choice?.format.name,
    seconds: (performance.now() - start) / 1000,
    problem,
    refusal: state.refusal,
    requestBytes: state.requestBytes,
    responseBytes: isAnswered ? (state.responseBytes ?? 0) : undefined,
    whole: res.writableFinished,
    client: principal?.id,
    profile: principal?.access?.profile,
    resources: state.resources,
    trace,
  };
}

export function observeRequests(observers: readonly RequestObserver[]): Step {
  return (ctx) => {
    const start = performance.now();
    const listeners = observers.map((observer) => observer.begin?.(ctx));
    ctx.res.once('close', () => {
      const ended = describe(ctx, start);
      for (const listener of listeners) listener?.(ended);
    });
  };
}
