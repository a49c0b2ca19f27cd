/** How a signal ends a command that has something to put in order first. */
import { endSignals } from './signals.ts';

export interface StopSignal {
  /** Aborts at the first signal that asks the process to end. The second one ends it at once. */
  readonly signal: AbortSignal;
  /** Ends the process as the signal would have, if one came: whoever waits for the command learns of it. */
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
