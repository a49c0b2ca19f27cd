/**
 * What answers hold in memory, counted in bytes over all connections: what a reader hasn't taken yet lies here for as long as it
 * takes, and whoever doesn't read at all shall not take the memory of all.
 */
import type { ServerResponse } from 'node:http';
import type { Coding } from './codings.ts';

/**
 * Lists whose beginning is being read at a time; the others wait in the order in which they came. None is counted before its
 * size is known: each may hold twice wholeListLength until then.
 */
const collecting = 32;

/** What a coding's own state takes, in bytes, as it is set in codings.ts: measured. */
export const codingState: Readonly<Record<Coding, number>> = {
  identity: 0,
  gzip: 272 * 1024,
  br: 448 * 1024,
};

/** A text that its connection hasn't taken is there twice: as it was given, and as bytes. */
const copies = 2;

/** Sets how many bytes the answer holds now. */
export type Held = (bytes: number) => void;

export interface AnswerMemory {
  /** Before anything is done for a request. @throws what `refused` makes when answers hold all that they may */
  admit(): void;
  /** Lists are refused from half of it on, so that those who read long lists shut nobody else out. @throws as `admit` */
  admitList(): void;
  /** Counts what this answer holds until its connection is done with it. */
  hold(response: ServerResponse): Held;
  /** Counts an answer that was given whole, if its connection didn't take all of it at once. */
  holdRest(response: ServerResponse): void;
  /** Counts an answer that is being coded. @param bytes of it, as it was given */
  holdCoded(response: ServerResponse, bytes: number, coding: Coding): void;
  /** Waits for its turn to read the beginning of a list. Resolves with what ends that turn; calling it again does nothing. */
  collect(): Promise<() => void>;
}

/** @param limit in bytes; 0: none */
export function answerMemory(limit: number, refused: () => Error): AnswerMemory {
  let held = 0;
  let reading = 0;
  const waiting: (() => void)[] = [];

  function check(most: number): void {
    if (limit > 0 && held >= most) throw refused();
  }

  function hold(response: ServerResponse): Held {
    let own = 0;
    const set = (bytes: number): void => {
      held += bytes - own;
      own = bytes;
    };
    // Of a closed one nothing would tell that it is over.
    let over = response.closed;
    response.once('close', () => {
      set(0);
      over = true;
    });
    return (bytes) => {
      if (!over) set(bytes);
    };
  }

  /** The turn goes straight to who waits first. */
  function next(): void {
    const go = waiting.shift();
    if (go === undefined) reading -= 1;
    else go();
  }

  function turn(): () => void {
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      next();
    };
  }

  return {
    admit: () => check(limit),
    admitList: () => check(limit / 2),
    hold,
    holdRest(response) {
      const rest = response.writableLength;
      if (rest > 0) hold(response)(rest * copies);
    },
    holdCoded: (response, bytes, coding) => hold(response)(bytes + codingState[coding]),
    collect() {
      if (reading >= collecting) return new Promise((go) => waiting.push(() => go(turn())));
      reading += 1;
      return Promise.resolve(turn());
    },
  };
}
