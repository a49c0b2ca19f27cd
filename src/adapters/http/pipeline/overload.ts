/**
 * Refuses requests that can't be answered in time, before any work is spent on them: 503 with `Retry-After` (RFC 9110 §15.6.4).
 *
 * This is where to look for rate limits. No client has a quota of requests per second: under load each may take up to half of the places
 * (`scheduler/slots.ts`), and its work takes turns with that of the others (`scheduler/event-loop.ts`).
 */
import { arrivals } from '../../scheduler/arrivals.ts';
import { clock, delayResolution, type SchedulerClock } from '../../scheduler/clock.ts';
import { eventLoop } from '../../scheduler/event-loop.ts';
import { Slots } from '../../scheduler/slots.ts';
import { HttpProblem, retryAfter } from '../problems/problems.ts';
import { type Authenticate, type Context, clientOf, type Load, senderOf } from './context.ts';
import { bodyMemory, inflater } from './request-budget.ts';
import { responseBudget } from './response-budget.ts';

export interface OverloadSettings {
  /**
   * The maximum number of requests in progress, and of requests being authenticated. A request does not count while its body arrives or its answer
   * waits for a slow reader. One client has at most half of them. 0: no limit.
   */
  readonly requests: number;
  /**
   * The maximum number of lists being streamed: each holds memory for as long as its reader takes. One client has at most half of them. 0: no limit.
   */
  readonly streams: number;
  /**
   * The maximum number of requests that wait for an event: each holds its connection, so there are never more than connections. One client has at
   * most half of them. 0: as many as there are connections.
   */
  readonly followers: number;
  /** The maximum memory of answers that their readers haven't accepted yet, in bytes; lists are refused from half of it on. 0: no limit. */
  readonly answerBytes: number;
  /** In ms: the maximum mean delay of the event loop, and the maximum wait of requests and complete bodies for their turn. 0: no limit. */
  readonly eventLoopDelay: number;
  /** The maximum memory of all request bodies, arriving, waiting and in progress, in bytes. 0: no limit. */
  readonly bodyBytes: number;
}

/** In ms. The delay is averaged over the last whole window, so that a single long turn causes no refusals. */
const window = 500;

/** Returns the mean delay in ms since it was last measured, at least one window ago. */
function delayMeter(): () => number {
  let histogram: ReturnType<SchedulerClock['delays']> | undefined;
  let began = 0;
  let mean = 0;
  return () => {
    histogram ??= clock.delays();
    const now = clock.now();
    if (now - began < window) return mean;
    // NaN while nothing was recorded.
    mean = Math.max(0, histogram.mean / 1e6 - delayResolution || 0);
    histogram.reset();
    histogram.enable();
    began = now;
    return mean;
  };
}

export const overloadedProblem = () =>
  new HttpProblem('overloaded', 'Nothing was done. Try again later.', { 'Retry-After': String(retryAfter) });

interface LoadShedding {
  /** Admits a request before it is authenticated and its body read; only for an API that is shed. @throws HttpProblem 503 */
  admit(ctx: Context): void;
  /**
   * @returns a step that authenticates an admitted request, and refuses it if too many others wait for keys. Others aren't refused: anyone can make
   *   up the id of a key that has to be fetched first
   */
  authenticating(authenticate: Authenticate): Authenticate;
  /** Admits a request after authentication; does nothing for a request that wasn't admitted. @throws HttpProblem 503 */
  admitClient(ctx: Context): void;
  /** Ends any request; does nothing for one that wasn't admitted. */
  leave(ctx: Context): void;
}

/** @param maxConnections 0: no limit */
export function loadShedding(settings: OverloadSettings, maxConnections: number): LoadShedding {
  const { requests, streams, followers, answerBytes, eventLoopDelay } = settings;
  const measureDelay = delayMeter();
  /** Requests whose authentication waits for keys. */
  let unauthenticated = 0;
  const working = new Slots(requests || Number.POSITIVE_INFINITY);
  const streaming = new Slots(streams || Number.POSITIVE_INFINITY);
  const following = new Slots(
    Math.min(followers || Number.POSITIVE_INFINITY, maxConnections || Number.POSITIVE_INFINITY),
  );
  const isOver = (count: number, limit: number): boolean => limit > 0 && count > limit;
  const responses = responseBudget(answerBytes, overloadedProblem);
  function giveBackPlace({ state }: Context): void {
    state.leavePlace?.();
    // Not `delete`, after which V8 looks up all of the state's members by a hash.
    state.leavePlace = undefined;
  }
  function takePlace(ctx: Context): void {
    const release = working.take(clientOf(ctx));
    if (release === undefined) throw overloadedProblem();
    ctx.state.leavePlace = release;
  }
  const load: Load = {
    responses,
    bodies: { ...bodyMemory(settings.bodyBytes), ...inflater() },
    async awaitBody(ctx, receive) {
      const client = clientOf(ctx);
      if (isOver(eventLoop.oldestWait(client), eventLoopDelay)) throw overloadedProblem();
      giveBackPlace(ctx);
      const received = await receive();
      takePlace(ctx);
      if (isOver(eventLoop.oldestWait(client), eventLoopDelay)) throw overloadedProblem();
      const waited = await eventLoop.begin(client);
      if (isOver(waited, eventLoopDelay)) throw overloadedProblem();
      return received;
    },
    admitFollower(ctx) {
      if (ctx.res.closed) return;
      const release = following.take(clientOf(ctx));
      if (release === undefined) throw overloadedProblem();
      giveBackPlace(ctx);
      ctx.res.once('close', release);
    },
    admitStream(ctx) {
      // The client has disconnected: no 'close' would release the slot.
      if (ctx.res.closed) return;
      const release = streaming.take(clientOf(ctx));
      if (release === undefined) throw overloadedProblem();
      ctx.res.once('close', release);
    },
  };
  return {
    admit({ state, req }) {
      if (!state.mounted.isShed) return;
      responses.admit();
      if (isOver(arrivals.oldestWait(senderOf(req)), eventLoopDelay)) throw overloadedProblem();
      if (eventLoopDelay > 0 && measureDelay() > eventLoopDelay) throw overloadedProblem();
      state.load = load;
      if (req.method === 'GET' || req.method === 'HEAD') eventLoop.countRead();
    },
    authenticating: (authenticate) => (ctx) => {
      const { state } = ctx;
      const pending = authenticate(ctx);
      if (pending === undefined || state.load === undefined) return pending;
      if (isOver(unauthenticated + 1, requests)) {
        pending.catch(() => {});
        throw overloadedProblem();
      }
      unauthenticated += 1;
      state.leavePlace = () => {
        unauthenticated -= 1;
      };
      return pending;
    },
    admitClient(ctx) {
      if (ctx.state.load === undefined) return;
      giveBackPlace(ctx);
      takePlace(ctx);
    },
    leave(ctx) {
      giveBackPlace(ctx);
      ctx.state.bodyReservation?.release();
    },
  };
}
