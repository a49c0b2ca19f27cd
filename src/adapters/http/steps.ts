/** The steps that a request takes, as Koa's middleware. */
import type { Context, Next } from './context.ts';
import type { ErrorHandler } from './error-handler.ts';

/**
 * A step that isn't settled at once costs a promise.
 * @throws whatever shall end the request: the error handler makes the answer of it
 */
export type Step = (ctx: Context) => Promise<void> | void;

/** Runs the steps one after the other, and then the middleware behind them. */
export const runSteps =
  (...steps: readonly Step[]) =>
  async (ctx: Context, next: Next): Promise<void> => {
    for (const step of steps) {
      const pending = step(ctx);
      if (pending !== undefined) await pending;
    }
    await next();
  };

/** @param handleError for whatever the middleware behind it throws @param leave at the end of every request, failed or not */
export const catchErrors =
  (handleError: ErrorHandler, leave: (ctx: Context) => void) =>
  async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      handleError(error, ctx);
    } finally {
      leave(ctx);
    }
  };
