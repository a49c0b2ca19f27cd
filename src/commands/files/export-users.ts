/** Takes users from a store to a file, a piece at a time. */
import { setImmediate as turn } from 'node:timers/promises';
import type { ColumnCollector, FileCodec, FilePrinter } from '../../adapters/formats/file-format.ts';
import type { Target } from '../../adapters/user-files/target.ts';
import type { UserStore } from '../../domain/ports.ts';
import type { StoredUser } from '../../domain/user/stored-user.ts';
import type { User } from '../../domain/user/user.ts';
import { ExportReading, type ReadingOptions } from './export-reading.ts';

export interface ExportOptions extends ReadingOptions {
  readonly codec: FileCodec<User>;
  /** Left out, of formats with columns: those that the users have, for which they may be read twice. */
  readonly columns?: readonly string[] | undefined;
  readonly spreadsheet?: boolean | undefined;
}

/** In characters of canonical JSON, of those who are printed at once: to text, and to bytes. */
const pieceLength = 64 * 1024;
const bytesPieceLength = 256 * 1024;
/** In the same, of those whose columns a table begins with. */
const sampleLength = 4 * 1024 * 1024;

/** One run. */
class Export {
  readonly #reading: ExportReading;
  readonly #target: Target;
  readonly #options: ExportOptions;

  constructor(store: UserStore, target: Target, options: ExportOptions) {
    [this.#reading, this.#target, this.#options] = [new ExportReading(store, options), target, options];
  }

  async run(): Promise<number> {
    const { codec, columns } = this.#options;
    const collector = columns === undefined ? codec.collectColumns?.() : undefined;
    if (collector === undefined) await this.#write(columns);
    else await this.#writeTable(collector);
    return this.#reading.written;
  }

  async #writeTable(collector: ColumnCollector<User>): Promise<void> {
    this.#reading.attempt();
    if (!this.#target.canBeginAnew) this.#reading.readAgain();
    await this.#writeWhilePossible(collector);
    this.#reading.settle();
    if (!this.#reading.hasAnother) return;
    if (this.#target.canBeginAnew) await this.#target.beginAnew();
    await this.#write(collector.columns(), collector);
  }

  /** With the columns of the first users, until somebody has others: of the rest, columns are found and nothing else. */
  async #writeWhilePossible(collector: ColumnCollector<User>): Promise<void> {
    const reading = this.#reading;
    let printer: FilePrinter<User> | undefined;
    for await (const piece of reading.listPieces(bytesPieceLength, sampleLength)) {
      if (printer === undefined || reading.hasAnother) collector.addAll(piece);
      if (reading.hasAnother) {
        // Nothing is written, for which the event loop would get a turn.
        await turn();
        continue;
      }
      printer ??= await this.#open(collector.columns());
      const { size } = collector;
      await this.#target.write(this.#print(printer, piece, collector));
      if (collector.size > size) reading.readAgain();
    }
    if (reading.hasAnother) return;
    printer ??= await this.#open(collector.columns());
    await this.#target.write(printer.close);
  }

  /** @param collector of the columns */
  async #write(columns: readonly string[] | undefined, collector?: ColumnCollector<User>): Promise<void> {
    const printer = await this.#open(columns);
    const size = collector?.size;
    for await (const piece of this.#reading.listPieces(printer.rowsOf ? bytesPieceLength : pieceLength)) {
      await this.#target.write(this.#print(printer, piece, collector));
      if (collector?.size !== size)
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
    let between = this.#reading.written === 0 ? '' : printer.between;
    this.#reading.written += piece.length;
    if (printer.rowsOf !== undefined)
      return printer.rowsOf(piece, collector && ((user) => collector.add(user)));
    let rows = '';
    for (const user of piece) {
      rows += between + (printer.rowOfJson?.(user.text) ?? printer.row(user.user));
      between = printer.between;
    }
    return rows;
  }
}

/**
 * Everybody who is there throughout is in it; it is no state of one moment.
 * @returns how many were written
 * @throws DomainError as the store does; Error as the target does, when a user needs columns that none needed before, and the signal's reason
 */
export const exportUsers = (store: UserStore, target: Target, options: ExportOptions): Promise<number> =>
  new Export(store, target, options).run();
