/** What the service does on a signal; others have the system's own effect. */

/** From a supervisor, the keyboard, a terminal that is closed: the service lets requests in flight finish, and ends. */
export const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** They mean nothing here. Left alone the first would open Node's debugger, the second end the process on the spot. */
const meaningless = ['SIGUSR1', 'SIGUSR2'] as const;

export function ignoreMeaningless(): void {
  for (const signal of meaningless) process.on(signal, () => {});
}

export function onEndSignal(end: (signal: NodeJS.Signals) => void): void {
  for (const signal of endSignals) process.on(signal, end);
}
