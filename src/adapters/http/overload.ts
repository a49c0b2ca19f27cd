/** Refuses what can't be done in time, before any work is spent on it: 503 with `Retry-After` (RFC 9110 §15.6.4). */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { type AnswerMemory, answerMemory } from './answer-memory.ts';
import { type BodyMemory, bodyMemory } from './body-memory.ts';
import type { Context } from './context.ts';
import { type Inflater, inflater } from './inflate.ts';
import { HttpProblem, retryAfter } from './problems.ts';
import { turns } from './turns.ts';

export interface OverloadSettings {
  /** Requests being worked on at once; those whose body is arriving, or whose answer waits for a slow reader, aren't. 0: no limit. */
  readonly requests: number;
  /** Lists being streamed at once: each holds memory for as long as its reader takes. 0: no limit. */
  readonly streams: number;
  /** How many bytes answers may hold in memory that their readers haven't taken; lists are refused from half of it on. 0: no limit. */
  readonly answerBytes: number;
  /** How late the event loop may run on average, and how long a body that is there may wait for its turn, in ms. 0: no limit. */
  readonly eventLoopDelay: number;
  /** What request bodies may hold together, arriving, waiting and worked on, in bytes. 0: no limit. */
  readonly bodyBytes: number;
}

/** In ms. The delay is judged by the last whole window, so that one long turn among short ones refuses nobody. */
const window = 500;
/** How often the event loop is looked at, in ms. */
const resolution = 20;

/** The mean delay in ms, of the time since it was last asked for but at least of one window. */
function delayMeter(): () => number {
  let histogram: IntervalHistogram | undefined;
  let began = 0;
  let mean = 0;
  return () => {
    histogram ??= monitorEventLoopDelay({ resolution });
    const now = performance.now();
    if (now - began < window) return mean;
    // Not a number while nothing was recorded.
    mean = Math.max(0, histogram.mean / 1e6 - resolution || 0);
    histogram.reset();
    histogram.enable();
    began = now;
    return mean;
  };
}

/** One for the process, as there is one event loop. */
const delay = delayMeter();

export const refused = () =>
  new HttpProblem('overloaded', 'Nothing was done. Try again later.', { 'Retry-After': String(retryAfter) });

/** What a handler tells of itself, so that slow clients shut nobody out and take no memory without bound. */
export interface Load {
  readonly bodies: BodyMemory & Inflater;
  /**
   * Around a body's arrival, which is no work; and then until it is this write's turn.
   * @throws HttpProblem 503 when those before it wait too long, it has waited too long itself, or there is too much work afterwards
   */
  arrival<T>(arrive: () => Promise<T>): Promise<T>;
  /** Does all steps, in as many turns of the event loop as they take. Throws as they do. */
  inTurns<T>(steps: Generator<void, T, void>): Promise<T>;
  /** Before an answer is streamed. Counts it until its connection is done with it. @throws HttpProblem 503 */
  stream(ctx: Context): void;
  /** What answers hold. */
  readonly answers: AnswerMemory;
}

export interface LoadShedding {
  /** Before the request is authenticated or its body read. @throws HttpProblem 503 */
  enter(ctx: Context): void;
  /** Once for each request that entered. */
  leave(ctx: Context): void;
}

export function loadShedding(settings: OverloadSettings): LoadShedding {
  const { requests, streams, answerBytes, eventLoopDelay } = settings;
  let inWork = 0;
  let streaming = 0;
  const { read, write, goOn, lateness } = turns();
  const isOver = (count: number, limit: number): boolean => limit > 0 && count > limit;
  const answers = answerMemory(answerBytes, refused);
  const load: Load = {
    answers,
    bodies: { ...bodyMemory(settings.bodyBytes), ...inflater() },
    async arrival(arrive) {
      if (isOver(lateness(), eventLoopDelay)) throw refused();
      inWork -= 1;
      const arrived = await arrive().finally(() => {
        inWork += 1;
      });
      if (isOver(inWork, requests) || isOver(lateness(), eventLoopDelay)) throw refused();
      const waited = await write();
      if (isOver(waited, eventLoopDelay)) throw refused();
      return arrived;
    },
    async inTurns(steps) {
      for (;;) {
        const step = steps.next();
        if (step.done) return step.value;
        const next = goOn();
        if (next !== undefined) await next;
      }
    },
    stream({ res }) {
      // Its reader has gone, and nothing would take it off the count again.
      if (res.closed) return;
      if (isOver(streaming + 1, streams)) throw refused();
      streaming += 1;
      res.once('close', () => {
        streaming -= 1;
      });
    },
  };
  return {
    enter({ state, req }) {
      if (isOver(inWork + 1, requests)) throw refused();
      answers.admit();
      if (eventLoopDelay > 0 && delay() > eventLoopDelay) throw refused();
      inWork += 1;
      state.load = load;
      if (req.method === 'GET' || req.method === 'HEAD') read();
    },
    leave({ state }) {
      inWork -= 1;
      state.body?.release();
    },
  };
}
