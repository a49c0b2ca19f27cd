/** Prints lists in pieces of similar length, whatever the size of the users: for a stalled reader, only a few pieces are held in memory. */

import { positionOf } from '../../../domain/at-import.ts';
import type { Position, Sort } from '../../../domain/find/sorts.ts';
import type { Resource } from '../../../domain/resource/resource.ts';
import type { Stored } from '../../../domain/resource/stored.ts';
import type { ResourcePrinter } from './service.ts';

/** In UTF-16 code units; a target, not a limit. */
const pieceLength = 64 * 1024;

/** In users, since their size is not known yet. Most pages of 100 take two batches; each costs a statement and a turn of the event loop. */
const firstBatch = 20;

/** The maximum growth of a batch, since the next users may be larger. */
const maxGrowth = 5;

/** Adapts the size of store batches to the length of a piece. */
export class BatchSize {
  #next = firstBatch;

  /** The number of users in the next batch. */
  readonly next = (): number => this.#next;

  /** Adapts to the printed length of the last batch. */
  adapt(users: number, length: number): void {
    const fitting = Math.floor((pieceLength * users) / Math.max(1, length));
    this.#next = Math.max(1, Math.min(fitting, this.#next * maxGrowth));
  }
}

/** Printed users of a list, without the text before, between and after pieces. */
export interface Piece {
  readonly text: string;
  readonly users: number;
  readonly first: Position;
  readonly last: Position;
}

/** V8 substrings keep their parent string alive; copy to release it. */
export const copyText = (text: string): string => Buffer.from(text).toString();

/** A copy that doesn't keep the user in memory. */
export function copyPosition(user: Stored<Resource>, sort: Sort): Position {
  const { id, key } = positionOf(user, sort);
  return key === undefined ? { id: copyText(id) } : { id: copyText(id), key: copyText(key) };
}

/** Yields a piece for each batch, up to `limit` users. @returns true when users beyond the limit follow */
export async function* printPieces(
  batches: AsyncIterable<readonly Stored<Resource>[]>,
  { list }: ResourcePrinter,
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

/** The part of a list that is printed before its response is sent. */
export interface Beginning {
  readonly body: string;
  readonly users: number;
  /** Undefined for an empty list. */
  readonly first: Position | undefined;
  readonly last: Position | undefined;
  /** The list is complete. */
  readonly done: boolean;
  /** Users beyond the limit follow; known only if `done` is true. */
  readonly more: boolean;
}

/** Collects pieces until they end or exceed `length` UTF-16 code units. @param total the total to print, if any */
export async function collectBeginning(
  pieces: AsyncGenerator<Piece, boolean, undefined>,
  { list }: Pick<ResourcePrinter, 'list'>,
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
