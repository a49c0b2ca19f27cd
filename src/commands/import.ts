/** `import FILE`: imports the users, groups or memberships of a file into the configured store, by the API's rules; or changes, into an empty one. */

import { InvalidArgumentError } from 'commander';
import { findFileFormat } from '../adapters/formats/file-formats.ts';
import { dayOrders, fileEncodings } from '../adapters/formats/port/file-format.ts';
import { codeOf, messageOf } from '../adapters/system/errors.ts';
import { kindsOfSettings } from '../config/declarations.ts';
import { type ImportCounts, importModes, matchMembersOf } from '../domain/import/import-options.ts';
import { type FileKind, isMembershipFile, referenceForms } from '../domain/import/memberships.ts';
import { describeCount, describeNouns } from '../domain/validation/describe-count.ts';
import { printLine } from '../process/output/progress.ts';
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
import { type ChangeFile, importChanges, isChangeFile } from './files/changes.ts';
import { describeTable, summarizeTable } from './files/import-report.ts';
import { type ImportEnd, type ImportWishes, takeResources } from './files/take-resources.ts';
import { openTarget, standardStream } from './files/target.ts';
import { runOnStore } from './run-on-store.ts';
import { readBooleans, readMapping, readOneOf, readPath, readText, refuseRepeated } from './values.ts';

interface GivenOptions extends Omit<ImportWishes, 'path' | 'codec' | 'kind'> {
  readonly format?: string;
  readonly kind?: string;
  readonly json?: boolean;
}

const matchesOf = (kind: FileKind): readonly string[] =>
  isMembershipFile(kind) ? referenceForms : matchMembersOf(kind);

/** Ends the command if the combination is invalid. */
function readWishes(path: string, given: GivenOptions, kind: FileKind, command: CommandLine): ImportWishes {
  const format = chooseFormat(path, given.format, command);
  assertColumns(
    format,
    given,
    ['empty', 'spreadsheet', 'lastLine', 'delimiter', 'booleans', 'dates', 'map', 'ignoreUnknown'],
    command,
  );
  if (isMembershipFile(kind))
    assertAbsent(['mode', 'keepMeta', 'empty'], '--kind users or groups', given, command);
  const { match } = given;
  if (match !== undefined) readLate('--match <member>', () => readOneOf(matchesOf(kind))(match), command);
  const codec = codecOf<unknown>(kind, format);
  const columns = [...(given.map?.values() ?? [])].filter((path) => path !== '');
  if (columns.length > 0) readLate('--map <pair>', () => codec.printer({ columns }), command);
  const ofRejects = given.rejects === undefined ? format : (findFileFormat(given.rejects) ?? format);
  if (ofRejects !== format) command.error(`error: --rejects is written as ${format.name}, as the file is`);
  return { ...given, path, kind, codec };
}

/** The run ended by itself; the rest of the file was not read. */
function explainLimit({ rejected }: ImportCounts, { maxRejects }: ImportWishes): Error | undefined {
  if (rejected !== maxRejects) return undefined;
  const reached = `--max-rejects ${describeCount(rejected, 'is', 'are')} refused`;
  return new Error(`${reached}; the rest of the file was not read`);
}

/** Prints the line to standard output. @throws Error when standard output is full or broken, but not when its reader has gone */
async function printResult(line: string): Promise<void> {
  const target = openTarget(standardStream);
  try {
    await target.write(`${line}\n`);
    await target.finish();
  } catch (error) {
    if (error instanceof Error && codeOf(error.cause) === 'EPIPE') return;
    throw error;
  }
}

/** @throws Error with the summary when it cannot be written */
async function printSummary(
  { counts, failure, table }: ImportEnd,
  { dryRun = false, json = false }: GivenOptions,
): Promise<void> {
  const { created, changed, unchanged, rejected } = counts;
  const ended = { finished: failure === undefined, dryRun, created, changed, unchanged, rejected };
  const summary = table === undefined ? ended : { ...ended, table: summarizeTable(table) };
  if (table !== undefined) printLine(describeTable(table));
  const would = dryRun ? 'nothing was changed; would be: ' : '';
  const words = `${would}${created} created, ${changed} changed, ${unchanged} unchanged, ${rejected} refused`;
  await printResult(json ? JSON.stringify(summary) : words).catch((error: unknown) => {
    throw new Error(`${words}; ${messageOf(error)}`, { cause: error });
  });
}

/** Options that changes don't have. */
const ofResources = [
  ...(['mode', 'match', 'keepMeta', 'dryRun', 'empty', 'map', 'ignoreUnknown', 'booleans', 'dates'] as const),
  ...(['rejects', 'maxRejects', 'json'] as const),
];

async function importHistory(
  path: string,
  given: GivenOptions,
  kind: ChangeFile,
  command: CommandLine,
): Promise<void> {
  const format = chooseFormat(path, given.format, command);
  assertAbsent(ofResources, '--kind users, groups or memberships', given, command);
  assertColumns(format, given, ['spreadsheet', 'lastLine', 'delimiter'], command);
  await runOnStore('Not finished', async (frame) => {
    const count = await importChanges(path, kind, codecOf(kind, format), given, frame);
    await printResult(`${describeNouns(kind, count, 'is', 'are')} imported`);
  });
}

async function importFile(path: string, given: GivenOptions, command: CommandLine): Promise<void> {
  const kind = findFileKind(await loadFileKinds(), given.kind);
  if (isChangeFile(kind)) return importHistory(path, given, kind, command);
  const wishes = readWishes(path, given, kind, command);
  await runOnStore('Not finished', async (frame) => {
    const settings = await frame.loadSettings();
    const timeZone = settings.validity.timezone;
    const around = { ...frame, kinds: kindsOfSettings(settings) };
    const taken = await takeResources({ ...wishes, timeZone }, around);
    const { counts, table, failure = explainLimit(counts, wishes) } = taken;
    await printSummary({ counts, failure, table }, given).catch((error: unknown) => {
      throw failure ?? error;
    });
    if (failure !== undefined) throw failure;
    if (counts.rejected > 0) process.exitCode = exitCodes.someLeft;
  });
}

function readCount(text: string): number {
  const count = /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : 0;
  if (count === 0) throw new InvalidArgumentError('Give a whole number, 1 or more.');
  return count;
}

export function register(command: CommandLine): void {
  command
    .argument('<file>', 'input file, which may be compressed with gzip; - for standard input', readPath)
    .addOption(formatOption())
    .addOption(kindOption())
    .addOption(
      choice(
        '--mode <mode>',
        importModes,
        'create (default): refuse existing ones that differ; upsert: change them; update: change existing ones and create none',
      ),
    )
    .option(
      '--match <member>',
      'member that identifies existing ones: id (default), userName or displayName, or externalId; memberships: whether groups and users are given by id or name (default: UUIDs are ids, all others names)',
      refuseRepeated(readText),
    )
    .option(
      '--keep-meta',
      'keep created and lastModified from the file, for example to recover lost data; versions are always new',
    )
    .option('--dry-run', 'report what would happen, and change nothing')
    .addOption(
      choice(
        '--empty <what>',
        ['remove'],
        'CSV: with remove, an empty cell removes the attribute; default: it changes nothing',
      ),
    )
    .option('--spreadsheet', 'CSV: remove the apostrophes that export --spreadsheet added')
    .addOption(delimiterOption('detected from the header'))
    .option(
      '--map <pair>',
      'CSV: Heading=column assigns a column, Heading= ignores it; may be repeated. Paths and usual headings in English and German, and those of other programs, are recognized without it',
      readMapping,
    )
    .option('--ignore-unknown', 'CSV: ignore unknown columns; the summary names them')
    .option(
      '--booleans <words>',
      'CSV: further words for true and false, such as an/aus; with x/ an empty cell is false',
      refuseRepeated(readBooleans),
    )
    .addOption(
      choice(
        '--dates <order>',
        dayOrders,
        'CSV: day-first reads 1/2/2026 as 1 February, month-first as January 2; default: the order of the other dates in the column; refused if these fit both',
      ),
    )
    .option('--last-line', 'CSV: accept a last row without a line break')
    .addOption(
      choice(
        '--encoding <name>',
        fileEncodings,
        'encoding of a file without a byte order mark or declaration; default for CSV: detected',
      ),
    )
    .option(
      '--rejects <file>',
      'write refused entries with their reasons to this new file, to correct and import',
      refuseRepeated(readText),
    )
    .option(
      '--max-rejects <count>',
      'stop after this many refusals; entries already imported stay',
      refuseRepeated(readCount),
    )
    .option('--json', 'print the summary as JSON')
    .describeExitCodes({
      [exitCodes.done]: 'all imported',
      [exitCodes.failed]: 'not finished; imported entries stay, and the command can be repeated',
      [exitCodes.someLeft]: 'some were refused, all others imported',
    })
    .action(importFile);
}
