/** Tests that need a program that this machine lacks: skipped here, and failed in CI, where a skipped test would go unseen. */
import Mocha, { type Context } from 'mocha';

/** Of suites and tests. */
const toolOf = new WeakMap<object, string>();
const isCi = Boolean(process.env.CI);

/**
 * Leaves out the test that runs or, in a hook, the tests of the hook.
 * @throws Error in CI
 */
export function missing(context: Context, tool: string): never {
  if (isCi) throw new Error(`${tool} is not installed, and CI must have it`);
  const { test: runnable } = context;
  const left = runnable instanceof Mocha.Test ? runnable : runnable?.parent;
  if (left !== undefined) toolOf.set(left, tool);
  context.skip();
}

/** `describe`, for a suite that needs `tool`. In CI its tests run, and fail, without. */
export const describeWhere =
  (isThere: boolean, tool: string) =>
  (title: string, define: (this: Mocha.Suite) => void): void => {
    // Each file of tests has a `describe` of its own, so it is looked up when it is called.
    if (isThere || isCi) describe(title, define);
    else toolOf.set(describe.skip(title, define) ?? {}, tool);
  };

/** The tool for want of which the test is left out. */
export function missingTool(test: Mocha.Test): string | undefined {
  for (let at: Mocha.Test | Mocha.Suite | undefined = test; at !== undefined; at = at.parent) {
    const tool = toolOf.get(at);
    if (tool !== undefined) return tool;
  }
  return undefined;
}
