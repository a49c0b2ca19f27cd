/**
 * Imports the resources or memberships of a file into the store.
 *
 * The file is opened (`source.ts`), a format reads rows from it, and the domain imports them (`import-resources.ts`,
 * `import-memberships.ts`). Rejected rows go to `import-report.ts`. A dry run (`domain/import/dry-run.ts`) reads the store, and writes to one in
 * a temporary folder. `export-resources.ts` is the other direction.
 *
 * What this shares with the console stands elsewhere: the rules of an import in `domain/import/`, the formats in `adapters/formats/`. Here are
 * files and pipes of Node and a store; `adapters/browser-files/` does the same with files of a page and the public API.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  type FileCodec,
  type FileReadOptions,
  type FileRow,
  maxRowLength,
  type TableForm,
} from '../../adapters/formats/port/file-format.ts';
import { nameRow, withPlace } from '../../adapters/formats/port/mistakes.ts';
import { openSqliteStore } from '../../adapters/stores/sqlite/open-store.ts';
import { randomIds, systemClock } from '../../adapters/system/clock-and-ids.ts';
import { timelyCommit } from '../../domain/follow-time.ts';
import { DryRun, dryRunOfMemberships } from '../../domain/import/dry-run.ts';
import { importMemberships } from '../../domain/import/import-memberships.ts';
import {
  countRows,
  type ImportCounts,
  type ImportMode,
  type ImportOptions,
  type ImportRules,
  type ImportTarget,
  type MatchMember,
} from '../../domain/import/import-options.ts';
import { importResources } from '../../domain/import/import-resources.ts';
import { type FileKind, isMembershipFile, type ReferenceForm } from '../../domain/import/memberships.ts';
import type { Kind } from '../../domain/kinds/kind.ts';
import { type Kinds, kindsOf } from '../../domain/kinds.ts';
import type { Store } from '../../domain/store.ts';
import { describeWaiting, startProgress } from '../../process/output/progress.ts';
import { RejectReport } from './import-report.ts';
import { openSource, type Source } from './source.ts';
import { openTarget } from './target.ts';

/** How the file is read. */
export type FileWishes = Pick<
  FileReadOptions,
  'encoding' | 'delimiter' | 'spreadsheet' | 'lastLine' | 'booleans' | 'dates' | 'timeZone'
>;

export interface ImportWishes extends FileWishes {
  readonly path: string;
  readonly kind: FileKind;
  readonly codec: FileCodec<unknown>;
  readonly mode?: ImportMode;
  /** For memberships: a `ReferenceForm`. */
  readonly match?: MatchMember;
  readonly keepMeta?: boolean;
  readonly dryRun?: boolean;
  /** The effect of an empty cell. */
  readonly empty?: 'remove';
  /** The columns of headings. */
  readonly map?: ReadonlyMap<string, string>;
  /** Leaves out columns with unknown headings. */
  readonly ignoreUnknown?: boolean;
  /** Where rejected rows are written. */
  readonly rejects?: string;
  readonly maxRejects?: number;
}

/** What the command provides for a run. */
interface Surroundings {
  /** Ends the run with the signal's reason, after pending writes. */
  readonly signal: AbortSignal;
  /** Called when a store fails: ends the process. */
  readonly onFatal: (error: unknown) => void;
  /** @throws Error for a path where a file may not be written */
  assertForeign(path: string): Promise<void>;
  /** The kinds of the store. Left out: those of a service without declared attributes. */
  readonly kinds?: Kinds;
  /** The command closes the store. @param ifAbsent `imagine`: a missing store is not created, and an empty one replaces it */
  openStore(ifAbsent: 'begin' | 'imagine'): Promise<Store>;
}

/** The counts, and the reason why it ended early. */
export interface ImportEnd {
  readonly counts: ImportCounts;
  readonly failure?: unknown;
  /** How the file was read, if it is a table. */
  readonly table?: TableForm | undefined;
}

/** @throws Error when it can't begin; nothing was done then */
export async function takeResources(wishes: ImportWishes, around: Surroundings): Promise<ImportEnd> {
  const source = await openSource(wishes.path, around.signal);
  try {
    return await takeFrom(source, wishes, around);
  } finally {
    source.close();
  }
}

async function openReport(
  { kind, codec, rejects, spreadsheet }: ImportWishes,
  { assertForeign }: Surroundings,
): Promise<RejectReport> {
  if (rejects === undefined) return new RejectReport(kind, codec, undefined);
  await assertForeign(rejects);
  return new RejectReport(kind, codec, openTarget(rejects), { spreadsheet });
}

async function takeFrom(source: Source, wishes: ImportWishes, around: Surroundings): Promise<ImportEnd> {
  const { kind, dryRun = false, maxRejects } = wishes;
  const report = await openReport(wishes, around);
  const store = await around.openStore(dryRun ? 'imagine' : 'begin');
  const scratch = dryRun ? await openScratch(around) : undefined;
  const progress = startProgress(kind, source.size);
  let counts: ImportCounts = { created: 0, changed: 0, unchanged: 0, rejected: 0 };
  let failure: unknown;
  try {
    const rows = wishes.codec.read(source.chunks(), readOptionsOf(wishes, report));
    counts = await importRows(wishes, store, scratch, rows, {
      ...{ maxRejects, by: { client: 'operator', via: 'import', request: randomIds.id() } },
      nameRow: (row) => nameRow(wishes.codec, row),
      onReject: (row, violations) => report.add(row, violations),
      onProgress: (now, waiting) => {
        counts = now;
        progress.update(countRows(now), source.bytesRead, describeWaiting(kind, waiting));
      },
      pause: (milliseconds) => setTimeout(milliseconds, undefined, { signal: around.signal }),
    });
  } catch (error) {
    failure = withPlace(error, source.name, wishes.codec);
  }
  progress.stop();
  await scratch?.remove();
  await report.finish().catch((error: unknown) => {
    failure ??= error;
  });
  return { counts, failure, table: report.front?.table };
}

/** A store for the writes of a dry run, on disk, since a file may have any number of rows. `remove` closes and deletes it. */
async function openScratch({ onFatal, kinds = kindsOf() }: Surroundings) {
  // Other users of the system may not read the folder.
  const folder = mkdtempSync(join(tmpdir(), 'user-management-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  const file = join(folder, 'users.db');
  const store = await openSqliteStore({ file, kinds, onFatal, isPassedThrough: true });
  const remove = async (): Promise<void> => {
    await store.close();
    process.off('exit', removeFolder);
    removeFolder();
  };
  return { store, kinds, remove };
}

type Scratch = Pick<Awaited<ReturnType<typeof openScratch>>, 'store' | 'kinds'>;

const parts = { clock: systemClock, ids: randomIds };

/** As in the store itself, what is due by time comes before a write of the import. */
function dryRunOf(store: Store, scratch: Scratch, kind: Kind): ImportTarget {
  const run = new DryRun(store, scratch.store, kind);
  return {
    findAll: (name, ids) => run.findAll(name, ids),
    findAllBy: (...asked) => run.findAllBy(...asked),
    commit: timelyCommit({ ...parts, store: run, kinds: scratch.kinds }),
  };
}

/** @param scratch of a dry run */
function importRows(
  { kind, mode = 'create', match, keepMeta = false }: ImportWishes,
  store: Store,
  scratch: Scratch | undefined,
  rows: AsyncIterable<readonly FileRow[]>,
  options: Omit<ImportOptions<FileRow>, keyof ImportRules>,
): Promise<ImportCounts> {
  if (isMembershipFile(kind)) {
    const target = scratch === undefined ? store : dryRunOfMemberships(store, scratch.store);
    return importMemberships(target, rows, { ...options, form: match as ReferenceForm | undefined });
  }
  const target = scratch === undefined ? store : dryRunOf(store, scratch, kind);
  const rules = { ...parts, kind, mode, match: match ?? 'id', keepMeta };
  return importResources(target, rows, { ...options, ...rules });
}

const readOptionsOf = (wishes: ImportWishes, report: RejectReport): FileReadOptions => ({
  ...wishes,
  maxRowLength,
  headings: wishes.map,
  emptyRemoves: wishes.empty === 'remove',
  unknown: wishes.ignoreUnknown ? 'left out' : 'refused',
  onFront: (front) => {
    report.front = front;
  },
});
