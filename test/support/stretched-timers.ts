/**
 * Time for a machine that stands still: timers of a second and more wait a hundred times as long. For tests of what comes before such a
 * limit of the service, which no setting moves.
 */

/** @returns a function that takes it back */
export function stretchTimers(): () => void {
  const { setTimeout } = globalThis;
  globalThis.setTimeout = new Proxy(setTimeout, {
    apply: (target, self, [run, ms, ...rest]) =>
      Reflect.apply(target, self, [run, ms >= 1000 ? 100 * ms : ms, ...rest]),
  });
  return () => {
    globalThis.setTimeout = setTimeout;
  };
}

const preloaded = `import { stretchTimers } from '${import.meta.url}'; stretchTimers();`;

/** NODE_OPTIONS of a process in which they are stretched from the start. */
export const stretched = `--import=data:text/javascript,${encodeURIComponent(preloaded)}`;
