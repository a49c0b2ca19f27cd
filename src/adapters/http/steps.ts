/** The steps that a request takes, as Koa's middleware. */
import type { Context, Next } from './context.ts';

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

/** Runs the middleware behind it. @param handleError for all that they throw @param leave whatever came of it */
export const catchErrors =
  (handleError: (error: unknown, ctx: Context) => void, leave: (ctx: Context) => void) =>
  async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      handleError(error, ctx);
    } finally {
      leave(ctx);
    }
  };
