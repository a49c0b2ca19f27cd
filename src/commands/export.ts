/** `export [FILE]`: writes the users, groups, memberships or changes of the configured store to a file, which appears when it is complete. */

import { InvalidArgumentError } from 'commander';
import { listTextParser } from '../adapters/apis/resources/list-query.ts';
import { matchAll, matchesAll } from '../domain/find/conditions.ts';
import {
  type FileKind,
  isMembershipFile,
  membershipParts,
  referenceForms,
} from '../domain/import/memberships.ts';
import type { Kind } from '../domain/kinds/kind.ts';
import type { Store } from '../domain/store.ts';
import { describeNouns } from '../domain/validation/describe-count.ts';
import { printLine, startProgress } from '../process/output/progress.ts';
import { type CommandLine, exitCodes } from './command-line.ts';
import {
  assertAbsent,
  assertColumns,
  choice,
  chooseFormat,
  codecOf,
  delimiterOption,
  findFileKind,
  formatOption,
  kindOption,
  loadFileKinds,
  readLate,
} from './file-options.ts';
import { type ExportKind, isChangeFile, parseChangeFilter } from './files/changes.ts';
import {
  type ExportOptions,
  type ExportSelection,
  exportResources,
  type TableOptions,
} from './files/export-resources.ts';
import { openTarget, standardStream } from './files/target.ts';
import { type CommandContext, runOnStore } from './run-on-store.ts';
import { readPath, readText, refuseRepeated } from './values.ts';

/** The resources that `--where` selects. */
function selectedBy(kind: FileKind, fileKinds: readonly ExportKind[]): Kind {
  const { plural } = isMembershipFile(kind) ? membershipParts.group : kind;
  // With the attributes of the installation.
  return fileKinds.find((one) => one.plural === plural) as Kind;
}

/** @throws Error with the messages of the list over HTTP */
function parseSelection(kind: ExportKind, query: string, fileKinds: readonly ExportKind[]): ExportSelection {
  if (isChangeFile(kind))
    return { conditions: { where: matchAll }, sort: {}, changes: parseChangeFilter(query) };
  const { limit, hasTotal, conditions, sort } = listTextParser(selectedBy(kind, fileKinds))(query);
  if (limit !== undefined || hasTotal)
    throw new InvalidArgumentError('limit, after, before and total are for pages: a file has all matches.');
  return { conditions, sort };
}

/** Adds to the query in `previous`. */
const readWhere = (text: string, previous?: string): string =>
  previous === undefined ? readText(text) : `${previous}&${readText(text)}`;

const readColumns = (text: string): readonly string[] => readText(text).split(',');

interface GivenOptions extends Pick<ExportOptions, 'by'>, TableOptions {
  readonly format?: string;
  readonly kind?: string;
  readonly where?: string;
  readonly template?: boolean;
  readonly force?: boolean;
}

interface Wanted extends Pick<ExportOptions, 'kind' | 'codec' | 'selection' | 'by'>, TableOptions {
  readonly path: string;
  readonly force: boolean;
}

/** Ends the command if the options are invalid. */
function readWanted(
  path: string,
  given: GivenOptions,
  command: CommandLine,
  fileKinds: readonly ExportKind[],
): Wanted {
  const implied = given.template && path === standardStream ? 'csv' : undefined;
  const format = chooseFormat(path, given.format ?? implied, command);
  const kind = findFileKind(fileKinds, given.kind);
  assertColumns(format, given, ['columns', 'spreadsheet', 'delimiter', 'bom', 'template'], command);
  if (given.template) assertAbsent(['where', 'by'], 'an export of rows, not with --template', given, command);
  if (!isMembershipFile(kind)) assertAbsent(['by'], '--kind memberships', given, command);
  const { by, spreadsheet, delimiter, bom, force = false, where = '' } = given;
  const codec = codecOf<unknown>(kind, format);
  // Every membership has all columns.
  const all = isMembershipFile(kind) || given.template ? codec.namedColumns?.() : undefined;
  const { columns = all } = given;
  const selection = readLate('--where <query>', () => parseSelection(kind, where, fileKinds), command);
  if (columns !== undefined) readLate('--columns <paths>', () => codec.printer({ columns }), command);
  return { path, kind, codec, selection, by, columns, spreadsheet, delimiter, bom, force };
}

/** Undefined with a filter, since counting the matches would cost as much as reading them. */
async function countRows(
  store: Store,
  { kind, selection: { conditions } }: Pick<Wanted, 'kind' | 'selection'>,
): Promise<number | undefined> {
  if (isChangeFile(kind) || isMembershipFile(kind) || !matchesAll(conditions.where)) return undefined;
  return (await store.page(kind.name, { ...conditions, limit: 0, total: 'exact' })).total;
}

/** @returns how many resources were left out */
async function writeFile(
  { path, force, ...wanted }: Wanted,
  { signal, assertForeign, openStore }: CommandContext,
): Promise<number> {
  if (path !== standardStream) await assertForeign(path);
  const store = await openStore('refuse');
  const target = openTarget(path, { force, signal });
  const progress = startProgress(wanted.kind, await countRows(store, wanted));
  let damaged = 0;
  try {
    const written = await exportResources(store, target, {
      ...wanted,
      signal,
      onProgress: progress.update,
      onDamaged: (id) => {
        damaged += 1;
        printLine(`Left out: the stored ${wanted.kind.name} ${id} can't be read`);
      },
    });
    await target.finish();
    progress.stop();
    printLine(`${describeNouns(wanted.kind, written, 'is', 'are')} in ${target.name}`);
    if (wanted.spreadsheet && wanted.delimiter === undefined)
      printLine('For a spreadsheet with a decimal comma, as in German or French, add --delimiter semicolon');
    return damaged;
  } finally {
    progress.stop();
    target.discard();
  }
}

/** Writes only the headings, since an example row would be imported with the others. */
async function writeTemplate(
  { path, force, codec, ...form }: Wanted,
  { assertForeign, loadSettings }: CommandContext,
): Promise<void> {
  // Without its declarations it would lack their columns.
  await loadSettings();
  if (path !== standardStream) await assertForeign(path);
  const target = openTarget(path, { force });
  await target.write(codec.printer(form).open);
  await target.finish();
}

async function exportFile(path = standardStream, given: GivenOptions, command: CommandLine): Promise<void> {
  const wanted = readWanted(path, given, command, await loadFileKinds());
  if (given.template) return runOnStore('No file', (frame) => writeTemplate(wanted, frame));
  await runOnStore('No file', async (frame) => {
    const damaged = await writeFile(wanted, frame);
    if (damaged === 0) return;
    const left = describeNouns(wanted.kind, damaged, 'was', 'were');
    printLine(`${left} left out: they can be read again once they are replaced or removed`);
    process.exitCode = exitCodes.someLeft;
  });
}

export function register(command: CommandLine): void {
  command
    .argument(
      '[file]',
      'output file, compressed if its name ends with .gz; - or no file: standard output',
      readPath,
    )
    .addOption(formatOption())
    .addOption(kindOption())
    .option(
      '--where <query>',
      'export only matches, in the requested order. Filters are the query parameters of /users or /groups: role=admin, manager.exists=false, search=ada, sort=-created (write + as %2B); for memberships, those of their groups; for changes, those of /history: by=hr-sync, from=2026-01-01T00:00:00Z. Repeat the option, or join filters with &',
      readWhere,
    )
    .addOption(
      choice(
        '--by <form>',
        referenceForms,
        'memberships: identify groups and users by id (default) or by name',
      ),
    )
    .option(
      '--columns <paths>',
      'CSV: columns to write, as paths (userName,name.familyName,emails.0.value) or usual headings (Nachname), which then become the headings; default: all columns that have values',
      refuseRepeated(readColumns),
    )
    .option(
      '--spreadsheet',
      'CSV: put an apostrophe before cells that a spreadsheet would run as formulas, and imply --bom; import such a file with --spreadsheet. For a spreadsheet with a decimal comma, as in German or French, add --delimiter semicolon',
    )
    .addOption(delimiterOption('comma'))
    .option('--bom', 'CSV: begin with a byte order mark, so that spreadsheets recognize UTF-8')
    .option('--template', 'CSV: write only the headings, as a form to fill in')
    .option('--force', 'replace an existing file')
    .describeExitCodes({
      [exitCodes.done]: 'the file is complete',
      [exitCodes.failed]: 'no file was written; output on standard output is incomplete',
      [exitCodes.someLeft]: 'complete except for damaged resources, which are named',
    })
    .action(exportFile);
}
