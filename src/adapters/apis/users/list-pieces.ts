/** Prints lists in pieces of about the same length, however large their users are: a reader who stops holds a few pieces in memory. */
import { type Position, positionOf, type Sort } from '../../../domain/find/sorts.ts';
import type { StoredUser } from '../../../domain/user/stored-user.ts';
import type { UserPrinter } from './users-service.ts';

/** In characters; a goal, not a limit. */
const pieceLength = 64 * 1024;

/** In users: nothing is known of their size yet. Most pages of 100 are two batches: each costs a statement and a turn of the event loop. */
const firstBatch = 20;

/** The next users may be larger. */
const maxGrowth = 5;

/** Adapts the batches that are read from the store to the length of a piece. */
export class BatchSize {
  #next = firstBatch;

  /** In users: how many the next batch has. */
  readonly next = (): number => this.#next;

  /** To the length of the last batch. */
  adapt(users: number, length: number): void {
    const fitting = Math.floor((pieceLength * users) / Math.max(1, length));
    this.#next = Math.max(1, Math.min(fitting, this.#next * maxGrowth));
  }
}

/** Some users of a list, without the text that stands before, between and after pieces. */
export interface Piece {
  readonly text: string;
  readonly users: number;
  readonly first: Position;
  readonly last: Position;
}

/** A part of a string keeps the whole of it in memory, in V8; a copy doesn't. */
export const copyText = (text: string): string => Buffer.from(text).toString();

/** In memory of its own, whatever becomes of the user. */
export function copyPosition(user: StoredUser, sort: Sort): Position {
  const { id, key } = positionOf(user, sort);
  return key === undefined ? { id: copyText(id) } : { id: copyText(id), key: copyText(key) };
}

/**
 * Yields a piece for each batch, up to `limit` users.
 * @param sort of the list
 * @returns true when users beyond the limit follow
 */
export async function* printPieces(
  batches: AsyncIterable<readonly StoredUser[]>,
  { list }: UserPrinter,
  batchSize: BatchSize,
  sort: Sort,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Piece, boolean, undefined> {
  let left = limit;
  for await (const batch of batches) {
    const users = batch.slice(0, Math.max(0, left));
    const [first, last] = [users[0], users.at(-1)];
    left -= batch.length;
    if (first !== undefined && last !== undefined) {
      const text = list.items(users);
      batchSize.adapt(users.length, text.length);
      const ends = { first: copyPosition(first, sort), last: copyPosition(last, sort) };
      yield { text, users: users.length, ...ends };
    }
  }
  return left < 0;
}

/** The part of a list that is printed before its answer is sent. */
export interface Beginning {
  readonly body: string;
  readonly users: number;
  /** Undefined where there is none. */
  readonly first: Position | undefined;
  readonly last: Position | undefined;
  /** There is no more of the list. */
  readonly done: boolean;
  /** Users beyond the limit follow; known only when it is done. */
  readonly more: boolean;
}

/**
 * Takes pieces until there are no more, or they have more than `length` characters together.
 * @param total how many there are in all, if the list is to say so
 */
export async function collectBeginning(
  pieces: AsyncGenerator<Piece, boolean, undefined>,
  { list }: UserPrinter,
  length: number,
  total?: number,
): Promise<Beginning> {
  let body = list.open(total);
  let users = 0;
  let first: Position | undefined;
  let last: Position | undefined;
  while (body.length <= length) {
    const { done, value } = await pieces.next();
    if (done) return { body: body + list.close, users, first, last, done: true, more: value };
    body += (users === 0 ? '' : list.between) + value.text;
    users += value.users;
    first ??= value.first;
    last = value.last;
  }
  return { body, users, first, last, done: false, more: false };
}
