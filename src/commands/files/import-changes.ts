/**
 * Imports the change log of a file that `export --kind changes` wrote, newest first, into an empty store. A file doesn't say in which users'
 * histories an entry stands: the store derives that. An interrupted import goes on when it is repeated.
 */
import Compile from 'typebox/compile';
import {
  type FileCodec,
  type FileReadOptions,
  type FileRow,
  maxRowLength,
} from '../../adapters/formats/port/file-format.ts';
import { nameRow, withPlace } from '../../adapters/formats/port/mistakes.ts';
import type { Actor, Change } from '../../domain/changes/change.ts';
import { changeLogOf, parseCursor } from '../../domain/changes/log.ts';
import { fillingLine, type MovedEntry } from '../../domain/changes/moves.ts';
import { matchAll } from '../../domain/find/conditions.ts';
import { kindsOf } from '../../domain/kinds.ts';
import type { Store } from '../../domain/store.ts';
import { startProgress } from '../../process/output/progress.ts';
import { changeFile, changeTypes } from './export-changes.ts';
import { openSource } from './source.ts';

type Row = Omit<Change, 'values'> &
  Omit<Actor, 'client' | 'person'> & {
    readonly cursor: string;
    readonly at: string;
    readonly by: Pick<Actor, 'client' | 'person'>;
    readonly label?: string;
  };

/** What the command provides for a run. */
interface Surroundings {
  readonly signal: AbortSignal;
  /** The command closes the store. */
  openStore(ifAbsent: 'fill'): Promise<Store>;
}

/** An entry with 10,000 memberships has 400 KB. */
const longestRow = 8 * maxRowLength;

const schema = Compile(changeFile.shown);

/** Numbers and marks are those of the exported log. @returns undefined for a row that isn't a change */
function toEntry(value: unknown): MovedEntry | undefined {
  if (!schema.Check(value)) return undefined;
  const { cursor, at, by, via, request, label, ...rest } = value as unknown as Row;
  const { before, after, memberships, ...change } = rest as typeof rest & Partial<Change['values']>;
  const place = parseCursor(cursor);
  const time = Date.parse(at);
  if (place === undefined || Number.isNaN(time) || !changeTypes.includes(change.type)) return undefined;
  const { number, mark } = place;
  const values = label !== undefined && {
    ...{ label, ...(before && { before }), ...(after && { after }), ...(memberships && { memberships }) },
  };
  return {
    ...{ ...change, number, mark, at: time },
    by: { ...by, via, ...(request !== undefined && { request }) },
    ...(values && { values }),
  };
}

const isEmpty = async (store: Store): Promise<boolean> => {
  const firsts = kindsOf().all.map(({ name }) => store.page(name, { where: matchAll, limit: 1 }));
  return (await Promise.all(firsts)).every(({ items }) => items.length === 0);
};

/** Rows of the file become entries of the store. */
class Filling {
  readonly #store: Store;
  /** The first row of the file, where the exported log ends. */
  #last: MovedEntry | undefined;
  #before = Number.POSITIVE_INFINITY;
  /** An interrupted import has left the entries from this number on. */
  #there = Number.POSITIVE_INFINITY;
  count = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** @param cursor of the first entry @throws Error when the store isn't empty, or a row isn't older than the one before it */
  async take(entries: readonly MovedEntry[], cursor: string): Promise<void> {
    if (this.#last === undefined) this.#there = (await this.#begin(cursor)) ?? this.#there;
    this.#last ??= entries[0];
    for (const { number } of entries) {
      if (number >= this.#before) throw new Error(`the entry ${number} is not older than the one before it`);
      this.#before = number;
    }
    const missing = entries.filter(({ number }) => number < this.#there);
    if (missing.length > 0) await changeLogOf(this.#store).moves.take(missing);
    this.count += entries.length;
  }

  /** @returns the lowest number that an interrupted import has left */
  async #begin(cursor: string): Promise<number | undefined> {
    const log = changeLogOf(this.#store);
    const line = fillingLine(cursor);
    const { end } = await log.read('now', 1);
    const isBegun = end.line === line || ((await isEmpty(this.#store)) && (await log.moves.begin(line)));
    if (!isBegun) throw new Error('changes are imported into an empty store only');
    return (await log.read('start', 1)).entries[0]?.number;
  }

  async end(): Promise<void> {
    if (this.#last !== undefined) await changeLogOf(this.#store).moves.end(this.#last, true);
  }
}

/** @returns the number of changes @throws Error naming the row that can't be imported */
export async function importChanges(
  path: string,
  codec: FileCodec<unknown>,
  options: Pick<FileReadOptions, 'encoding' | 'delimiter' | 'spreadsheet' | 'takesLastLine'>,
  { signal, openStore }: Surroundings,
): Promise<number> {
  const source = await openSource(path, signal);
  const filling = new Filling(await openStore('fill'));
  const progress = startProgress(changeFile, source.size);
  const read = (row: FileRow): MovedEntry => {
    const entry = row.violations.length === 0 ? toEntry(row.value) : undefined;
    if (entry === undefined)
      throw new Error(`${source.name}: ${nameRow(codec, row)}: is not an exported change`);
    return entry;
  };
  try {
    for await (const rows of codec.read(source.chunks(), { ...options, maxRowLength: longestRow })) {
      signal.throwIfAborted();
      const cursor = (rows[0]?.value as Partial<Row> | undefined)?.cursor ?? '';
      await filling.take(rows.map(read), cursor);
      progress.update(filling.count, source.bytesRead);
    }
    await filling.end();
    return filling.count;
  } catch (error) {
    throw withPlace(error, source.name, codec);
  } finally {
    progress.stop();
    source.close();
  }
}
