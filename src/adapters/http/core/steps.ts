/** The steps that a request takes, as Koa's middleware. */
import type { Context, Next } from './context.ts';
import type { ErrorHandler } from './error-handler.ts';

/**
 * An asynchronous step costs a promise.
 * @throws any error that ends the request; the error handler turns it into the response
 */
export type Step = (ctx: Context) => Promise<void> | void;

async function finishSteps(
  pending: Promise<void>,
  steps: readonly Step[],
  ctx: Context,
  next: Next,
): Promise<unknown> {
  await pending;
  for (const step of steps) await step(ctx);
  return next();
}

/**
 * Runs the steps one after the other, and then the middleware behind them. Without asynchronous steps it makes no promise, which would
 * each be 2 % of the cost of a small read.
 */
export const runSteps =
  (...steps: readonly Step[]) =>
  (ctx: Context, next: Next): Promise<unknown> => {
    for (let at = 0; at < steps.length; at += 1) {
      const pending = steps[at]?.(ctx);
      if (pending !== undefined) return finishSteps(pending, steps.slice(at + 1), ctx, next);
    }
    return next();
  };

/** @param handleError for errors of the middleware behind it @param leave at the end of every request, failed or not */
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
