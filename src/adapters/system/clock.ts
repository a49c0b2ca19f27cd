import type { Clock } from '../../domain/ports.ts';

/** Apart from the composition root, so that a command doesn't load the HTTP server for it. */
export const systemClock: Clock = { now: () => new Date() };
