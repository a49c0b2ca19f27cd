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
  /** Left out, of formats with columns: those that the users have, for which they may be read twice. */
  readonly columns?: readonly string[] | undefined;
  readonly spreadsheet?: boolean | undefined;
  /** Ends it with the signal's reason. */
  readonly signal: AbortSignal;
  /** @param written so far @param read so far, of all who match: of those who are read twice, half of each reading */
  readonly onProgress: (written: number, read: number) => void;
  /** Called with the id of each user that is left out, since what is stored of it is damaged. */
  readonly onDamaged: (id: string) => void;
}

const operator: Principal = { id: 'export', scopes: scopesOf(['users:read']) };

/** In characters of canonical JSON, of those who are printed at once: to text, and to bytes. */
const pieceLength = 64 * 1024;
const bytesPieceLength = 256 * 1024;
/** In the same, of those whose columns a table begins with. */
const sampleLength = 4 * 1024 * 1024;

/** Damaged users whom a reading that may be in vain comes upon before it is. */
const maxHeld = 1000;

/** One run. */
class Export {
  readonly #store: UserStore;
  readonly #target: Target;
  readonly #options: ExportOptions;
  /** How often everybody is read, as far as is known. */
  #readings = 1;
  #read = 0;
  #written = 0;
  /** Those whom the caller wasn't told of, while they may be read again. */
  #held: string[] | undefined;

  constructor(store: UserStore, target: Target, options: ExportOptions) {
    [this.#store, this.#target, this.#options] = [store, target, options];
  }

  async run(): Promise<number> {
    const { codec, columns } = this.#options;
    const collector = columns === undefined ? codec.collectColumns?.() : undefined;
    if (collector === undefined) await this.#write(columns);
    else if (!(await this.#attempt(collector))) await this.#writeAgain(collector);
    return this.#written;
  }

  /**
   * Writes with the columns of the first users until somebody has others, and finds those of the rest from there on; at once where what
   * was written can't be taken back.
   * @returns true when all is written
   */
  async #attempt(collector: ColumnCollector<User>): Promise<boolean> {
    this.#held = [];
    if (!this.#target.canBeginAnew) this.#readings = 2;
    let printer: FilePrinter<User> | undefined;
    for await (const piece of this.#listPieces(bytesPieceLength, sampleLength)) {
      if (printer === undefined || this.#readings > 1) collector.addAll(piece);
      if (this.#readings > 1) continue;
      printer ??= await this.#open(collector.columns());
      const { size } = collector;
      await this.#target.write(this.#print(printer, piece, collector));
      if (collector.size > size || this.#held.length > maxHeld) [this.#readings, this.#written] = [2, 0];
    }
    if (this.#readings > 1) return false;
    printer ??= await this.#open(collector.columns());
    await this.#target.write(printer.close);
    for (const id of this.#held) this.#options.onDamaged(id);
    return true;
  }

  async #writeAgain(collector: ColumnCollector<User>): Promise<void> {
    this.#held = undefined;
    if (this.#target.canBeginAnew) await this.#target.beginAnew();
    await this.#write(collector.columns(), collector);
  }

  /** @param collector of the columns */
  async #write(columns: readonly string[] | undefined, collector?: ColumnCollector<User>): Promise<void> {
    const printer = await this.#open(columns);
    for await (const piece of this.#listPieces(printer.rowsOf ? bytesPieceLength : pieceLength)) {
      await this.#target.write(this.#print(printer, piece, collector));
      if (collector !== undefined && collector.size > (columns ?? []).length)
        throw new Error(
          'users got members meanwhile that the file has no columns for: run it again, or choose --columns',
        );
    }
    await this.#target.write(printer.close);
  }

  async #open(columns: readonly string[] | undefined): Promise<FilePrinter<User>> {
    const { codec, spreadsheet } = this.#options;
    const printer = codec.printer({ columns, spreadsheet });
    await this.#target.write(printer.open);
    return printer;
  }

  /** @param collector takes those who may have other columns than the printer */
  #print(
    printer: FilePrinter<User>,
    piece: readonly StoredUser[],
    collector: ColumnCollector<User> | undefined,
  ): string | Uint8Array {
    let between = this.#written === 0 ? '' : printer.between;
    this.#written += piece.length;
    if (printer.rowsOf !== undefined)
      return printer.rowsOf(piece, collector && ((user) => collector.add(user)));
    let rows = '';
    for (const user of piece) {
      rows += between + (printer.rowOfJson?.(user.text) ?? printer.row(user.user));
      between = printer.between;
    }
    return rows;
  }

  /** Those who are whole. @param least in characters of canonical JSON, as `first` */
  async *#listPieces(least: number, first = least): AsyncGenerator<readonly StoredUser[]> {
    const { selection, signal, onProgress } = this.#options;
    const { conditions, sort } = selection;
    const { list } = users(this.#store, systemClock, randomIds);
    let [piece, length, wanted]: [StoredUser[], number, number] = [[], 0, first];
    for await (const batch of list(operator, { ...conditions, sort })) {
      signal.throwIfAborted();
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
      onProgress(this.#written, this.#read / this.#readings);
    }
    if (piece.length > 0) yield piece;
    onProgress(this.#written, this.#read / this.#readings);
  }

  #leaveOut(id: string): void {
    if (this.#held === undefined) this.#options.onDamaged(id);
    else if (this.#readings === 1) this.#held.push(id);
  }
}

/**
 * Everybody who is there throughout is in it; it is no state of one moment.
 * @returns how many were written
 * @throws DomainError as the store does; Error as the target does, when a user needs columns that none needed before, and the signal's reason
 */
export const exportUsers = (store: UserStore, target: Target, options: ExportOptions): Promise<number> =>
  new Export(store, target, options).run();
