/** Takes users from a store to a file, a batch at a time. */
import type { ListQuery } from '../../adapters/apis/users/list-query.ts';
import type { ColumnCollector, FileCodec, FilePrinter } from '../../adapters/formats/file-format.ts';
import type { Target } from '../../adapters/user-files/target.ts';
import { systemClock } from '../../container.ts';
import type { Principal, UserStore } from '../../domain/ports.ts';
import { scopesOf } from '../../domain/scopes.ts';
import type { StoredUser } from '../../domain/stored-user.ts';
import type { User } from '../../domain/user.ts';
import { users } from '../../domain/users.ts';
import { randomIds } from '../../ids.ts';

/** Which users, and in which order. */
export type Selection = Pick<ListQuery, 'conditions' | 'sort'>;

export interface ExportOptions {
  readonly codec: FileCodec<User>;
  readonly selection: Selection;
  /** Left out, of formats with columns: those that the users have, for which they are read twice. */
  readonly columns?: readonly string[] | undefined;
  readonly spreadsheet?: boolean | undefined;
  /** Ends it with the signal's reason. */
  readonly signal: AbortSignal;
  /** @param written so far @param read so far, of `readsOf` */
  readonly onProgress: (written: number, read: number) => void;
  /** Called with the id of each user that is left out, since what is stored of it is damaged. */
  readonly onDamaged: (id: string) => void;
}

/** How often each user is read. */
export const readsOf = ({ codec, columns }: Pick<ExportOptions, 'codec' | 'columns'>): number =>
  codec.collectColumns !== undefined && columns === undefined ? 2 : 1;

const operator: Principal = { id: 'export', scopes: scopesOf(['users:read']) };

/** In characters: what is collected before it is written. */
const pieceLength = 64 * 1024;

/** One run. */
class Export {
  readonly #store: UserStore;
  readonly #options: ExportOptions;
  /** Of a format whose columns nobody has chosen. */
  readonly #collector: ColumnCollector<User> | undefined;
  #read = 0;
  #written = 0;

  constructor(store: UserStore, options: ExportOptions) {
    [this.#store, this.#options] = [store, options];
    this.#collector = options.columns === undefined ? options.codec.collectColumns?.() : undefined;
  }

  async run(target: Target): Promise<number> {
    const { codec, spreadsheet, columns = await this.#findColumns() } = this.#options;
    await this.#write(target, codec.printer({ columns, spreadsheet }));
    if (this.#collector?.columns().length !== (this.#collector && columns?.length))
      throw new Error(
        'users got members meanwhile that the file has no columns for: run it again, or choose --columns',
      );
    return this.#written;
  }

  async #findColumns(): Promise<readonly string[] | undefined> {
    const collector = this.#collector;
    if (collector === undefined) return undefined;
    for await (const batch of this.#listUsers())
      for (const user of batch) if (!user.isDamaged) collector.add(user.user);
    return collector.columns();
  }

  async #write(target: Target, printer: FilePrinter<User>): Promise<void> {
    let piece = printer.open;
    for await (const batch of this.#listUsers()) {
      for (const user of batch) piece += this.#print(printer, user);
      if (piece.length < pieceLength) continue;
      await target.write(piece);
      piece = '';
    }
    await target.write(piece + printer.close);
  }

  #print(printer: FilePrinter<User>, user: StoredUser): string {
    if (user.isDamaged) {
      this.#options.onDamaged(user.id);
      return '';
    }
    this.#collector?.add(user.user);
    const between = this.#written === 0 ? '' : printer.between;
    this.#written += 1;
    return between + (printer.rowOfJson?.(user.text) ?? printer.row(user.user));
  }

  async *#listUsers(): AsyncGenerator<StoredUser[]> {
    const { selection, signal, onProgress } = this.#options;
    const { conditions, sort } = selection;
    const { list } = users(this.#store, systemClock, randomIds);
    for await (const batch of list(operator, { ...conditions, sort })) {
      signal.throwIfAborted();
      yield batch;
      this.#read += batch.length;
      onProgress(this.#written, this.#read);
    }
  }
}

/**
 * Everybody who is there throughout is in it; it is no state of one moment.
 * @returns how many were written
 * @throws DomainError as the store does; Error as the target does, when a user needs columns that none needed before, and the signal's reason
 */
export const exportUsers = (store: UserStore, target: Target, options: ExportOptions): Promise<number> =>
  new Export(store, options).run(target);
