/**
 * Limits the memory of all responses together. Bytes stay in memory until their client has read them, and a client that doesn't read must
 * not take the memory of other clients.
 */
import type { ServerResponse } from 'node:http';
import { Slots } from '../../scheduler/slots.ts';
import type { Coding } from './codings.ts';

/**
 * At most this many lists begin at a time, half of them for one client; the others wait. A list isn't counted until its size is known, and
 * may take twice wholeListLength.
 */
const listCount = 64;

/** The measured memory of an encoder, in bytes, with the options in codings.ts. */
export const codingState: Readonly<Record<Coding, number>> = {
  identity: 0,
  gzip: 272 * 1024,
  br: 448 * 1024,
};

/** An unsent text is in memory twice: as a string, and as bytes. */
const copiesOfUnsent = 2;

/** @param bytes that the response takes from now on, replacing the previous number */
export type SetSize = (bytes: number) => void;

export interface ResponseBudget {
  /** To be called before any work for a request. @throws the error of `makeError` if responses take all of the limit */
  admit(): void;
  /** Lists are refused from half of the limit on, so that long ones leave room for other requests. @throws as `admit` */
  admitList(): void;
  /** Counts an answer until its connection is closed or no longer needs it. */
  track(response: ServerResponse): SetSize;
  /**
   * Counts what the connection of a stream hasn't accepted. When all streams together take a quarter of the limit, the longest-stalled one is cut
   * off: its client can continue where it was, and other clients get their answers.
   */
  trackStream(response: ServerResponse): SetSize;
  /** Counts the part of a whole answer that its connection didn't accept at once. */
  trackUnsent(response: ServerResponse): void;
  /** Counts an answer that is being encoded. @param bytes its length before encoding */
  trackEncoding(response: ServerResponse, bytes: number, coding: Coding): void;
  readonly listSlots: Slots;
}

/** @param limit in bytes; 0: none */
export function responseBudget(limit: number, makeError: () => Error): ResponseBudget {
  let total = 0;

  function check(most: number): void {
    if (limit > 0 && total >= most) throw makeError();
  }

  function track(response: ServerResponse): SetSize {
    let own = 0;
    const set = (bytes: number): void => {
      total += bytes - own;
      own = bytes;
    };
    // A closed response emits no further 'close'.
    let isOver = response.closed;
    response.once('close', () => {
      set(0);
      isOver = true;
    });
    return (bytes) => {
      if (!isOver) set(bytes);
    };
  }

  /** Stalled streams, the longest-stalled first. */
  const still = new Map<ServerResponse, number>();
  let stillBytes = 0;
  function setStill(response: ServerResponse, bytes: number): void {
    stillBytes += bytes - (still.get(response) ?? 0);
    still.delete(response);
    if (bytes > 0) still.set(response, bytes);
  }

  return {
    admit: () => check(limit),
    admitList: () => check(limit / 2),
    track,
    trackStream(response) {
      const set = track(response);
      response.once('close', () => setStill(response, 0));
      return (bytes) => {
        set(bytes);
        setStill(response, response.closed ? 0 : bytes);
        for (const [oldest] of still) {
          if (limit === 0 || stillBytes <= limit / 4) break;
          setStill(oldest, 0);
          oldest.destroy();
        }
      };
    },
    trackUnsent(response) {
      const unsent = response.writableLength;
      if (unsent > 0) track(response)(unsent * copiesOfUnsent);
    },
    trackEncoding: (response, bytes, coding) => track(response)(bytes + codingState[coding]),
    listSlots: new Slots(listCount),
  };
}
