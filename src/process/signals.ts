/**
 * The signals that the service and its commands handle; all others keep the system's default. What ends the service is `end` in `service.ts`;
 * with several processes, in `workers/primary.ts`.
 */

/** From a supervisor, the keyboard, or a closed terminal. The service finishes its requests in flight and ends. */
export const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** By default SIGUSR1 opens Node's debugger, and SIGUSR2 ends the process at once. */
const ignoredSignals = ['SIGUSR1', 'SIGUSR2'] as const;

export function ignoreMeaningless(): void {
  for (const signal of ignoredSignals) process.on(signal, () => {});
}

export function onEndSignal(end: (signal: NodeJS.Signals) => void): void {
  for (const signal of endSignals) process.on(signal, end);
}

/** Lets a command clean up before a signal ends it. */
interface StopSignal {
  /** Aborts at the first signal that asks the process to end. The second one ends it at once. */
  readonly signal: AbortSignal;
  /** After a signal, ends the process by the same signal, so that the parent process sees it. */
  endAsAsked(): void;
}

export function awaitStopSignal(): StopSignal {
  const controller = new AbortController();
  let asked: NodeJS.Signals | undefined;
  const stop = (signal: NodeJS.Signals) => {
    for (const name of endSignals) process.off(name, stop);
    asked = signal;
    controller.abort(new Error(`stopped by ${signal}`));
  };
  for (const name of endSignals) process.on(name, stop);
  return {
    signal: controller.signal,
    endAsAsked: () => {
      if (asked !== undefined) process.kill(process.pid, asked);
    },
  };
}
