/** Throttles log lines that any client can cause: the first of each kind is written at once; later ones are counted, and reported at intervals. */

import { clock } from '../../scheduler/clock.ts';

/** In ms. */
const defaultInterval = 10_000;

/** Further kinds share one entry: the name of a kind may contain an error's message, and a message may contain what a client sent. */
const mostKinds = 50;

/** @param count the occurrences since the previous line */
type WriteLine = (count: number) => void;

/** Writes the line now, or counts it for the next one of its kind. */
type LogThrottle = (kind: string, write: WriteLine) => void;

interface Kind {
  /** The number of occurrences since its last line. */
  count: number;
  /** Writes the latest occurrence: its line represents all that were counted. */
  write: WriteLine;
}

/** @param interval in ms: at most one line per kind and interval; a kind is forgotten after an interval without occurrences */
export function logThrottle(interval = defaultInterval): LogThrottle {
  const kinds = new Map<string, Kind>();

  function flush(name: string, kind: Kind): void {
    if (kind.count === 0) {
      kinds.delete(name);
      return;
    }
    const { count } = kind;
    kind.count = 0;
    scheduleFlush(name, kind);
    kind.write(count);
  }

  function scheduleFlush(name: string, kind: Kind): void {
    clock.later(() => flush(name, kind), interval);
  }

  return (given, write) => {
    const name = kinds.has(given) || kinds.size < mostKinds ? given : '';
    const known = kinds.get(name);
    if (known !== undefined) {
      known.count += 1;
      known.write = write;
      return;
    }
    const kind = { count: 0, write };
    kinds.set(name, kind);
    scheduleFlush(name, kind);
    write(1);
  };
}
