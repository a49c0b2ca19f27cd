/** Lists as printed text, in pieces of about the same length however large their users are: a piece is what a reader who stops holds up. */
import { setImmediate as turn } from 'node:timers/promises';
import type { KeptUser } from '../../domain/kept-user.ts';
import type { UserPrinter } from './user-printer.ts';

/** What a piece should come to, in characters. */
const pieceLength = 64 * 1024;

/** How many users the first step reads, when nothing is known of their size. */
const firstStep = 16;

/** Tells how many users make a piece, by those that were printed last. */
export class Pace {
  #next = firstStep;

  readonly atOnce = (): number => this.#next;

  /** At most twice as many as before: those to come may be larger. */
  printed(users: number, length: number): void {
    const fitting = Math.floor((pieceLength * users) / Math.max(1, length));
    this.#next = Math.max(1, Math.min(fitting, this.#next * 2));
  }
}

/** Users that follow each other, without what stands before, between and after pieces. */
export interface Piece {
  readonly text: string;
  readonly users: number;
  /** The id of the last of them. */
  readonly last: string;
}

/**
 * A piece for each batch, up to `limit` users. Between batches the event loop gets its turn, however fast store and reader are.
 * Returns whether there are more.
 */
export async function* print(
  batches: AsyncIterable<readonly KeptUser[]>,
  { list }: UserPrinter,
  pace: Pace,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Piece, boolean, undefined> {
  let left = limit;
  for await (const batch of batches) {
    const users = batch.slice(0, Math.max(0, left));
    const last = users.at(-1);
    left -= batch.length;
    if (last !== undefined) {
      const text = users.map((user) => list.item(user)).join(list.between);
      pace.printed(users.length, text.length);
      yield { text, users: users.length, last: last.id };
    }
    await turn();
  }
  return left < 0;
}

/** What is at hand of a list before its answer begins. */
export interface Beginning {
  readonly body: string;
  readonly users: number;
  /** The id of the last of them; empty where there is none. */
  readonly last: string;
  /** Whether that is all; and then, whether users beyond the limit follow. */
  readonly done: boolean;
  readonly more: boolean;
}

/** Takes pieces until there are no more, or it is longer than `length` characters. */
export async function begin(
  pieces: AsyncGenerator<Piece, boolean, undefined>,
  { list }: UserPrinter,
  length: number,
): Promise<Beginning> {
  let body = list.open;
  let users = 0;
  let last = '';
  while (body.length <= length) {
    const { done, value } = await pieces.next();
    if (done) return { body: body + list.close, users, last, done: true, more: value };
    body += (users === 0 ? '' : list.between) + value.text;
    users += value.users;
    last = value.last;
  }
  return { body, users, last, done: false, more: false };
}
