/** Imports a file, or reports what an import would do, and collects the rows that it refuses. */

import { DryRun } from '../../domain/import/dry-run.ts';
import { countRows, type ImportRules, type ImportTarget } from '../../domain/import/import-options.ts';
import { importResources } from '../../domain/import/import-resources.ts';
import { findLost, type Kind } from '../../domain/kinds/kind.ts';
import type { Actor, Outcome, Write } from '../../domain/store.ts';
import { invalidResource, type Violation } from '../../domain/validation/errors.ts';
import { splitCells } from '../formats/csv/row-splitter.ts';
import { type FileFront, type FileRow, keyOf, type RejectPrinter } from '../formats/port/file-format.ts';
import { rejectedName } from '../formats/port/file-rows.ts';
import { nameRow } from '../formats/port/mistakes.ts';
import { DirectoryTarget, referencesOf } from './directory-target.ts';
import type { Counts, FileEngine, FileFailure, RejectedRow, Rejects, RowMistake } from './engine.ts';
import { codecOf, kindNamed, readOptionsOf, readRows } from './formats.ts';
import { ResourceIndex } from './resource-index.ts';
import { failureOf, PageSource } from './source.ts';

/** A dry run that refuses what only the service refuses, whose writes check more than a store's: attributes that name a user who is not there. */
class CheckedDryRun extends DryRun {
  readonly #kind: Kind;

  constructor(store: ImportTarget, scratch: ImportTarget, kind: Kind) {
    super(store, scratch, kind);
    this.#kind = kind;
  }

  /** An earlier write of the same commit may have created the user. */
  override async commit(writes: readonly Write[], by: Actor): Promise<readonly Outcome[]> {
    const wanted = writes.flatMap((write) => referencesOf(this.#kind, write).map(({ id }) => id));
    const there = new Set((await this.findAll('user', [...new Set(wanted)])).keys());
    const refused = new Map<Write, Outcome>();
    for (const write of writes) {
      const lost = findLost(referencesOf(this.#kind, write), there);
      if (lost.length > 0) refused.set(write, invalidResource(this.#kind.name, lost));
      else if (write.kind === 'user') there.add(write.id);
    }
    const taken = writes.filter((write) => !refused.has(write));
    const outcomes = await super.commit(taken, by);
    const outcomeOf = new Map(taken.map((write, at) => [write, outcomes[at]] as const));
    return writes.map((write) => refused.get(write) ?? outcomeOf.get(write) ?? 'stale');
  }
}

/** Rows that are held in memory. */
const maxRows = 100;
/** Text that is collected before the browser gets it as a Blob, which it may keep on disk; in UTF-16 code units. */
const pieceLength = 1024 * 1024;

function explain(row: FileRow, violation: Violation): RowMistake {
  const { pointer, detail } = violation;
  return row.explain?.(violation) ?? { path: pointer.slice(1).replaceAll('/', '.'), detail };
}

/** Collects the rows that an import refuses: the first ones to be corrected in the page, all of them for a file. */
class CollectedRejects {
  readonly #printerOf: (front: FileFront | undefined) => RejectPrinter;
  readonly #rows: RejectedRow[] = [];
  readonly #keys = new Set<string>();
  /** The printed rows before `#text`. */
  #file = new Blob();
  #text = '';
  #printer: RejectPrinter | undefined;
  front: FileFront | undefined;

  constructor(printerOf: (front: FileFront | undefined) => RejectPrinter) {
    this.#printerOf = printerOf;
  }

  get #headings(): readonly string[] {
    return (this.front?.table?.names ?? []).filter((heading) => heading !== rejectedName);
  }

  add(row: FileRow, violations: readonly Violation[]): void {
    this.#printer ??= this.#printerOf(this.front);
    const { open, between } = this.#printer;
    this.#text += (this.#keys.size === 0 ? open : between) + this.#printer.row(row, violations);
    this.#keys.add(keyOf(row.position));
    if (this.#rows.length < maxRows) this.#rows.push(this.#show(row, violations));
    if (this.#text.length < pieceLength) return;
    this.#file = new Blob([this.#file, this.#text]);
    this.#text = '';
  }

  #show(row: FileRow, violations: readonly Violation[]): RejectedRow {
    const { text, position: place, value } = row;
    const { length } = this.#headings;
    // Misplaced quotes are the usual reason why the cells of a row can't be told apart.
    const isSplit = length > 0 && (value !== undefined || !text.includes('"'));
    const cells = isSplit ? splitCells(text, this.front?.table?.delimiter ?? ',') : [];
    return {
      ...{ key: keyOf(place), place, text },
      mistakes: violations.map((violation) => explain(row, violation)),
      ...(isSplit && cells.length === length ? { cells } : {}),
    };
  }

  /** @returns undefined if no row was refused */
  finish(): Rejects | undefined {
    if (this.#printer === undefined) return undefined;
    return {
      file: new Blob([this.#file, this.#text, this.#printer.close]),
      // A row may have waited for a value that another row had.
      rows: this.#rows.toSorted((one, other) => one.place.line - other.place.line),
      headings: this.#headings,
      keys: this.#keys,
    };
  }
}

/** @param milliseconds a few hundred at most: a stopped run ends only after them */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  signal.throwIfAborted();
}

/** The rows that were read so far. */
interface Found {
  rows: number;
  /** The length of their texts. */
  length: number;
}

/** Ends when the signal aborts, and lets the page react between batches. */
async function* untilStopped(
  batches: AsyncIterable<readonly FileRow[]>,
  signal: AbortSignal,
  found: Found,
): AsyncGenerator<readonly FileRow[]> {
  for await (const batch of batches) {
    await pause(0, signal);
    found.rows += batch.length;
    for (const { text } of batch) found.length += text.length;
    yield batch;
  }
}

export const importFile: FileEngine['importFile'] = async (file, wishes, directory, reports) => {
  const { kind: kindName, format, mode, match, isDryRun, spreadsheet } = wishes;
  const { signal } = reports;
  const [kind, codec, source] = [kindNamed(kindName), codecOf(kindName, format), new PageSource(file)];
  const api = new DirectoryTarget(kind, directory);
  const target: ImportTarget = isDryRun ? new CheckedDryRun(api, new ResourceIndex(kind), kind) : api;
  const clock = { now: () => new Date() };
  const rules: ImportRules = { kind, clock, ids: api.ids, mode, match, keepMeta: false };
  const rejects = new CollectedRejects((front) => codec.rejectPrinter(front, { spreadsheet }));
  const options = readOptionsOf(wishes, (front) => {
    rejects.front = front;
  });
  const found: Found = { rows: 0, length: 0 };
  /** Progress by the length of rows: a small file is read whole before its first row is done. Unpacked text is longer than the file. */
  const bytesDone = (done: number) => Math.min(source.bytesRead, (found.length * done) / found.rows);
  let counts: Counts = { created: 0, changed: 0, unchanged: 0, rejected: 0 };
  let failure: FileFailure | undefined;
  try {
    const rows = untilStopped(readRows(codec, source.chunks(), options), signal, found);
    counts = await importResources(target, rows, {
      ...rules,
      by: { client: 'console', via: 'import' },
      nameRow: (row) => nameRow(codec, row),
      onReject: (row, violations) => rejects.add(row, violations),
      onProgress(now) {
        counts = now;
        const done = countRows(now);
        reports.onProgress(now, wishes.rows ? done / wishes.rows.size : bytesDone(done) / file.size);
      },
      pause: (milliseconds) => pause(milliseconds, signal),
    });
  } catch (error) {
    failure = failureOf(error);
  }
  return { counts, failure, rejects: rejects.finish() };
};
