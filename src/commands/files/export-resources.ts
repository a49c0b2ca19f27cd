/** Exports the resources of a kind, memberships, or the change log from a store to a file, a piece at a time. */

import { setImmediate as turn } from 'node:timers/promises';
import type { ListQuery } from '../../adapters/apis/resources/list-query.ts';
import type { ColumnCollector, Delimiter, FileCodec } from '../../adapters/formats/port/file-format.ts';
import type { ChangeFilter } from '../../domain/changes/filter.ts';
import {
  isMembershipFile,
  listMemberships,
  membershipParts,
  type ReferenceForm,
} from '../../domain/import/memberships.ts';
import type { Kind } from '../../domain/kinds/kind.ts';
import { listAll } from '../../domain/list-all.ts';
import type { Resource } from '../../domain/resource/resource.ts';
import { Stored } from '../../domain/resource/stored.ts';
import type { Store, StoredResource } from '../../domain/store.ts';
import { isCode } from '../../domain/validation/errors.ts';
import { type ExportKind, isChangeFile, listChanges } from './changes.ts';
import type { Target } from './target.ts';

/** Which resources are exported, and in which order; for memberships, which groups. */
export interface ExportSelection extends Pick<ListQuery, 'conditions' | 'sort'> {
  /** For the change log: replaces conditions. */
  readonly changes?: ChangeFilter | undefined;
}

export interface ExportOptions {
  readonly kind: ExportKind;
  readonly selection: ExportSelection;
  readonly codec: FileCodec<unknown>;
  /** How memberships name groups and users. Default: by id. */
  readonly by?: ReferenceForm | undefined;
  /** For formats with columns. Default: all columns that the resources have; to find them, the resources are read twice. */
  readonly columns?: readonly string[] | undefined;
  readonly spreadsheet?: boolean | undefined;
  readonly delimiter?: Delimiter | undefined;
  /** Begins the file with a byte order mark. */
  readonly bom?: boolean | undefined;
  /** Ends the export with the signal's reason. */
  readonly signal: AbortSignal;
  /** @param written rows so far @param read resources so far; if they are read twice, each reading counts half */
  readonly onProgress: (written: number, read: number) => void;
  /** Called with the id of each resource that is left out because it can't be read. */
  readonly onDamaged: (id: string) => void;
}

const listSelected = (store: Store, { name }: Kind, { conditions, sort }: ExportSelection, view: object) =>
  listAll(store, name, { ...conditions, sort, list: view, client: 'export' });

/** The resources to print. A membership has the form of a resource. @param view the same object for each reading */
async function* listRows(store: Store, { kind, selection, by }: ExportOptions, view: object) {
  if (isChangeFile(kind)) return yield* listChanges(store, selection.changes ?? {});
  if (!isMembershipFile(kind)) return yield* listSelected(store, kind, selection, view);
  const groups = listSelected(store, membershipParts.group, selection, view);
  for await (const batch of listMemberships(store, groups, by))
    yield batch.map((membership) => new Stored<Resource>(JSON.stringify(membership)));
}

const toShown = (stored: StoredResource): StoredResource =>
  stored.membership === undefined ? stored : new Stored(stored.shown);

/** The length of the rows that are printed at once, in characters of canonical JSON. */
const pieceLength = 64 * 1024;

class Export {
  readonly #store: Store;
  readonly #target: Target;
  readonly #options: ExportOptions;
  /** The same for both readings. */
  readonly #view = {};
  #readings = 1;
  #listed = 0;
  #written = 0;

  constructor(store: Store, target: Target, options: ExportOptions) {
    [this.#store, this.#target, this.#options] = [store, target, options];
  }

  async run(): Promise<number> {
    const { codec, columns } = this.#options;
    const collector = columns === undefined ? codec.collectColumns?.() : undefined;
    if (collector === undefined) await this.#write(columns);
    else {
      this.#readings = 2;
      await this.#findColumns(collector);
      await this.#write(collector.columns(), collector);
    }
    return this.#written;
  }

  async #findColumns(collector: ColumnCollector<unknown>): Promise<void> {
    // Nothing is written here, which would yield to the event loop.
    for await (const _ of this.#read(({ value }) => collector.add(value))) await turn();
  }

  /** @param collector has found the columns */
  async #write(columns: readonly string[] | undefined, collector?: ColumnCollector<unknown>): Promise<void> {
    const { codec, spreadsheet, delimiter, bom, onDamaged } = this.#options;
    const printer = codec.printer({ columns, spreadsheet, delimiter, hasMark: bom });
    await this.#target.write(printer.open);
    let [rows, between] = ['', ''];
    const print = (shown: StoredResource): void => {
      const row = printer.rowOfJson?.(shown.text) ?? printer.row(shown.value);
      collector?.add(shown.value);
      rows += between + row;
      between = printer.between;
    };
    for await (const count of this.#read(print, onDamaged)) {
      if (collector !== undefined && collector.size !== columns?.length)
        throw new Error(
          `${this.#options.kind.plural} got members meanwhile that the file has no columns for: run it again, or choose --columns`,
        );
      this.#written += count;
      await this.#target.write(rows);
      rows = '';
    }
    await this.#target.write(printer.close);
  }

  /** Yields how many rows `use` has been called with, a piece at a time. */
  async *#read(
    use: (shown: StoredResource) => void,
    onDamaged: (id: string) => void = () => {},
  ): AsyncGenerator<number> {
    let [count, length] = [0, 0];
    for await (const batch of listRows(this.#store, this.#options, this.#view)) {
      this.#options.signal.throwIfAborted();
      for (const stored of batch)
        try {
          stored.read(() => use(toShown(stored)));
          count += 1;
          length += stored.text.length;
        } catch (error) {
          if (!isCode(error, 'damaged')) throw error;
          onDamaged(stored.id);
        }
      this.#listed += batch.length;
      if (length < pieceLength) continue;
      yield count;
      [count, length] = [0, 0];
      this.#tell();
    }
    if (count > 0) yield count;
    this.#tell();
  }

  #tell(): void {
    this.#options.onProgress(this.#written, this.#listed / this.#readings);
  }
}

/**
 * Writes every resource or membership that exists throughout the export; it is not a snapshot.
 * @returns how many were written
 * @throws DomainError as the store does; Error as the target does, and when a resource gains a member without a column between
 * the two readings; the signal's reason
 */
export const exportResources = (store: Store, target: Target, options: ExportOptions): Promise<number> =>
  new Export(store, target, options).run();
