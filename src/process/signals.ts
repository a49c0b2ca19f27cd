/** The signals that the service handles; all others keep the system's default. */

/** From a supervisor, the keyboard, or a closed terminal. The service finishes its requests in flight and ends. */
export const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** By default the first would open Node's debugger, and the second would end the process at once. */
const ignoredSignals = ['SIGUSR1', 'SIGUSR2'] as const;

export function ignoreMeaningless(): void {
  for (const signal of ignoredSignals) process.on(signal, () => {});
}

export function onEndSignal(end: (signal: NodeJS.Signals) => void): void {
  for (const signal of endSignals) process.on(signal, end);
}
