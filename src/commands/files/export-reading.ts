/** Reads those who are exported, once or twice, and tells how far it is. */
import type { ListQuery } from '../../adapters/apis/users/list-query.ts';
import { systemClock } from '../../container.ts';
import type { Principal, UserStore } from '../../domain/ports.ts';
import { scopesOf } from '../../domain/scopes.ts';
import type { StoredUser } from '../../domain/user/stored-user.ts';
import { users } from '../../domain/users.ts';
import { randomIds } from '../../ids.ts';

/** Which users, and in which order. */
export type Selection = Pick<ListQuery, 'conditions' | 'sort'>;

export interface ReadingOptions {
  readonly selection: Selection;
  /** Ends it with the signal's reason. */
  readonly signal: AbortSignal;
  /** @param written so far @param read so far, of all who match: of those who are read twice, half of each reading */
  readonly onProgress: (written: number, read: number) => void;
  /** Called with the id of each user that is left out, since what is stored of it is damaged. */
  readonly onDamaged: (id: string) => void;
}

const operator: Principal = { id: 'export', scopes: scopesOf(['users:read']) };

/** Damaged users whom a reading may come upon that isn't known to be the last. */
const maxHeld = 1000;

export class ExportReading {
  readonly #store: UserStore;
  readonly #options: ReadingOptions;
  #hasAnother = false;
  #read = 0;
  /** Those whom the caller wasn't told of, while they may be read again. */
  #held: string[] | undefined;
  written = 0;

  constructor(store: UserStore, options: ReadingOptions) {
    [this.#store, this.#options] = [store, options];
  }

  /** This one is in vain but for what is found in it: everybody is read again. */
  get hasAnother(): boolean {
    return this.#hasAnother;
  }

  /** To be called before the first reading, when it may not be the last. It is the last when `hasAnother` is false at its end. */
  attempt(): void {
    this.#held = [];
  }

  readAgain(): void {
    this.#hasAnother = true;
    this.#held = [];
    this.written = 0;
  }

  /** Nobody is read again: those are told who are damaged, and from here on at once. */
  settle(): void {
    for (const id of this.#held ?? []) this.#options.onDamaged(id);
    this.#held = undefined;
  }

  /** Those who are whole. @param least in characters of canonical JSON, as `first`: of a piece, and of the first one */
  async *listPieces(least: number, first = least): AsyncGenerator<readonly StoredUser[]> {
    const { conditions, sort } = this.#options.selection;
    const { list } = users(this.#store, systemClock, randomIds);
    let [piece, length, wanted]: [StoredUser[], number, number] = [[], 0, first];
    for await (const batch of list(operator, { ...conditions, sort })) {
      this.#options.signal.throwIfAborted();
      for (const user of batch) {
        if (user.isDamaged) {
          this.#leaveOut(user.id);
          continue;
        }
        piece.push(user);
        length += user.text.length;
      }
      this.#read += batch.length;
      if (length < wanted) continue;
      yield piece;
      [piece, length, wanted] = [[], 0, least];
      this.#tell();
    }
    if (piece.length > 0) yield piece;
    this.#tell();
  }

  #tell(): void {
    this.#options.onProgress(this.written, this.#hasAnother ? this.#read / 2 : this.#read);
  }

  #leaveOut(id: string): void {
    if (this.#held === undefined) this.#options.onDamaged(id);
    else if (!this.#hasAnother) this.#held.push(id);
    if (this.#held !== undefined && this.#held.length > maxHeld) this.readAgain();
  }
}
