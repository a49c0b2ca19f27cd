/**
 * Limits the memory of all answers together. Bytes that a client hasn't taken stay here until it does, and one that doesn't read
 * at all must not take the memory of the others.
 */
import type { ServerResponse } from 'node:http';
import type { Coding } from './codings.ts';

/**
 * So many lists are begun at a time; the others wait in the order in which they came. Until a list's size is known it isn't counted,
 * and may take twice wholeListLength.
 */
const listSlots = 32;

/** The state of an encoder, in bytes, with the options that codings.ts sets: measured. */
export const codingState: Readonly<Record<Coding, number>> = {
  identity: 0,
  gzip: 272 * 1024,
  br: 448 * 1024,
};

/** A text that its connection hasn't taken is there twice: as it was given, and as bytes. */
const copiesOfUnsent = 2;

/** @param bytes that the answer takes from now on, in the place of those before */
export type SetSize = (bytes: number) => void;

export interface AnswerMemory {
  /** Before anything is done for a request. @throws the error of `makeError` when answers take all that they may */
  admit(): void;
  /** Lists are refused from half of the limit on, so that long ones shut nobody else out. @throws as `admit` */
  admitList(): void;
  /** Counts an answer until its connection is closed or done with it. */
  track(response: ServerResponse): SetSize;
  /** Counts the part of a whole answer that its connection didn't take at once. */
  trackUnsent(response: ServerResponse): void;
  /** Counts an answer that is being encoded. @param bytes before it is */
  trackEncoding(response: ServerResponse, bytes: number, coding: Coding): void;
  /** Waits until a list may be begun. Resolves with the function that lets the next one in; calling it again does nothing. */
  acquireListSlot(): Promise<() => void>;
}

/** @param limit in bytes; 0: none */
export function answerMemory(limit: number, makeError: () => Error): AnswerMemory {
  let total = 0;
  let slotsTaken = 0;
  const waiting: (() => void)[] = [];

  function check(most: number): void {
    if (limit > 0 && total >= most) throw makeError();
  }

  function track(response: ServerResponse): SetSize {
    let own = 0;
    const set = (bytes: number): void => {
      total += bytes - own;
      own = bytes;
    };
    // A response that is closed already emits no 'close' any more.
    let isOver = response.closed;
    response.once('close', () => {
      set(0);
      isOver = true;
    });
    return (bytes) => {
      if (!isOver) set(bytes);
    };
  }

  /** Straight to the first that waits: nobody who comes now gets in between. */
  function passSlotOn(): void {
    const next = waiting.shift();
    if (next === undefined) slotsTaken -= 1;
    else next();
  }

  function makeRelease(): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      passSlotOn();
    };
  }

  return {
    admit: () => check(limit),
    admitList: () => check(limit / 2),
    track,
    trackUnsent(response) {
      const unsent = response.writableLength;
      if (unsent > 0) track(response)(unsent * copiesOfUnsent);
    },
    trackEncoding: (response, bytes, coding) => track(response)(bytes + codingState[coding]),
    acquireListSlot() {
      if (slotsTaken >= listSlots)
        return new Promise((resolve) => waiting.push(() => resolve(makeRelease())));
      slotsTaken += 1;
      return Promise.resolve(makeRelease());
    },
  };
}
