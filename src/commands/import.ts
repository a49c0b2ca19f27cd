/** `import FILE`: takes the users of a file into the configured store, by the API's rules. */
import { InvalidArgumentError, Option } from 'commander';
import {
  type FileCodec,
  type FileEncoding,
  type FileReadOptions,
  fileEncodings,
} from '../adapters/formats/file-format.ts';
import { findFileFormat } from '../adapters/formats/file-formats.ts';
import { UnreadableError } from '../adapters/formats/format.ts';
import { openSource, type Source } from '../adapters/user-files/source.ts';
import { openTarget } from '../adapters/user-files/target.ts';
import { systemClock } from '../container.ts';
import {
  type ImportCounts,
  type ImportMode,
  importModes,
  importUsers,
  type MatchMember,
  matchMembers,
} from '../domain/import-users.ts';
import { rehearse } from '../domain/rehearsal.ts';
import type { User } from '../domain/user.ts';
import { randomIds } from '../ids.ts';
import { type CommandLine, exitCodes } from './command-line.ts';
import { assertColumns, chooseFormat, formatOption, userCodec } from './files/options.ts';
import { describePosition, RejectReport } from './files/reject-report.ts';
import { type Frame, runOnStore } from './files/run.ts';
import { openScratchStore } from './files/scratch-store.ts';
import { startProgress } from './progress.ts';
import { readOneOf, readPath, readText, refuseRepeated } from './values.ts';

/** In UTF-16 code units: a user has 16 KiB as JSON, and some times that in XML or with much white space. */
const maxRowLength = 1024 * 1024;

interface GivenOptions {
  readonly format?: string;
  readonly mode?: ImportMode;
  readonly match?: MatchMember;
  readonly keepMeta?: boolean;
  readonly dryRun?: boolean;
  readonly empty?: 'remove';
  readonly spreadsheet?: boolean;
  readonly encoding?: FileEncoding;
  readonly rejects?: string;
  readonly maxRejects?: number;
  readonly json?: boolean;
}

interface Wanted extends GivenOptions {
  readonly path: string;
  readonly codec: FileCodec<User>;
}

/** Ends the command where it can't be done. */
function readWanted(path: string, given: GivenOptions, command: CommandLine): Wanted {
  const format = chooseFormat(path, given.format, command);
  assertColumns(format, given, ['empty', 'spreadsheet'], command);
  const ofRejects = given.rejects === undefined ? format : (findFileFormat(given.rejects) ?? format);
  if (ofRejects !== format) command.error(`error: --rejects is written as ${format.name}, as the file is`);
  return { ...given, path, codec: userCodec(format) };
}

/** How far it came, and why no further. */
interface Outcome {
  readonly counts: ImportCounts;
  readonly failure?: unknown;
}

const sumOf = ({ created, changed, unchanged, rejected }: ImportCounts): number =>
  created + changed + unchanged + rejected;

/** One run. @throws Error when it can't begin */
async function takeUsers(wanted: Wanted, { signal, onFatal, openStore }: Frame): Promise<Outcome> {
  const { path, codec, rejects, mode = 'create', match = 'id', keepMeta = false, dryRun = false } = wanted;
  const source = await openSource(path, signal);
  const report = new RejectReport(codec, rejects === undefined ? undefined : openTarget(rejects));
  const store = await openStore();
  const scratch = dryRun ? await openScratchStore(onFatal) : undefined;
  const target = scratch === undefined ? store : rehearse(store, scratch.store);
  const progress = startProgress(source.size);
  let counts: ImportCounts = { created: 0, changed: 0, unchanged: 0, rejected: 0 };
  try {
    const rows = codec.read(source.chunks(), readOptionsOf(wanted, report));
    counts = await importUsers(target, rows, {
      ...{ clock: systemClock, ids: randomIds, mode, match, keepMeta },
      maxRejects: wanted.maxRejects,
      onReject: (row, violations) => report.add(row, violations),
      onProgress: (now) => {
        counts = now;
        progress.update(sumOf(now), source.bytesRead);
      },
    });
    return { counts };
  } catch (error) {
    return { counts, failure: withPlace(error, source) };
  } finally {
    progress.stop();
    await scratch?.remove();
    await report.finish();
  }
}

const readOptionsOf = ({ encoding, empty, spreadsheet }: Wanted, report: RejectReport): FileReadOptions => ({
  ...{ encoding, spreadsheet, maxRowLength },
  emptyRemoves: empty === 'remove',
  onHeader: (header) => {
    report.header = header;
  },
});

function withPlace(error: unknown, { name }: Source): unknown {
  if (!(error instanceof UnreadableError)) return error;
  const place = error.position === undefined ? [] : [describePosition(error.position)];
  return new Error([name, ...place, error.message].join(': '), { cause: error });
}

function printSummary({ counts, failure }: Outcome, { dryRun = false, json = false }: Wanted): void {
  const { created, changed, unchanged, rejected } = counts;
  const summary = { finished: failure === undefined, dryRun, created, changed, unchanged, rejected };
  const would = dryRun ? 'nothing was changed; would be: ' : '';
  const words = `${would}${created} created, ${changed} changed, ${unchanged} unchanged, ${rejected} refused`;
  process.stdout.write(`${json ? JSON.stringify(summary) : words}\n`);
}

async function importFile(path: string, given: GivenOptions, command: CommandLine): Promise<void> {
  const wanted = readWanted(path, given, command);
  await runOnStore('Not finished', async (frame) => {
    const outcome = await takeUsers(wanted, frame);
    printSummary(outcome, wanted);
    if (outcome.failure !== undefined) throw outcome.failure;
    const { rejected } = outcome.counts;
    if (rejected === wanted.maxRejects)
      throw new Error(`--max-rejects ${rejected} are refused; what is behind them in the file was not read`);
    if (rejected > 0) process.exitCode = exitCodes.someLeft;
  });
}

function readCount(text: string): number {
  const count = /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : 0;
  if (count === 0) throw new InvalidArgumentError('It is no whole number from 1 on.');
  return count;
}

const choice = <Name extends string>(flags: string, names: readonly Name[], description: string): Option =>
  new Option(flags, description).argParser(refuseRepeated(readOneOf(names)));

export function register(command: CommandLine): void {
  command
    .argument('<file>', 'packed by gzip or not; - for standard input', readPath)
    .addOption(formatOption())
    .addOption(
      choice(
        '--mode <mode>',
        importModes,
        'create (if left out): who is there already must be equal; upsert: is changed; update: as upsert, and who is not there is refused',
      ),
    )
    .addOption(
      choice(
        '--match <member>',
        matchMembers,
        'what tells who is there: id (if left out), userName or externalId',
      ),
    )
    .option('--keep-meta', 'take over created and lastModified, as after a loss; the version is always new')
    .option('--dry-run', 'say what would become of each, and change nothing')
    .addOption(choice('--empty <what>', ['remove'], 'of CSV, what an empty cell does; nothing, if left out'))
    .option('--spreadsheet', 'of CSV: take the apostrophes away again that export --spreadsheet has put')
    .addOption(
      choice('--encoding <name>', fileEncodings, 'where no byte order mark and no declaration says it'),
    )
    .option(
      '--rejects <file>',
      'where to write those who are refused, each with the reason, to be mended and imported; nothing may be there yet',
      refuseRepeated(readText),
    )
    .option(
      '--max-rejects <count>',
      'stop when so many are refused; those taken in stay',
      refuseRepeated(readCount),
    )
    .option('--json', 'say at the end how many as JSON')
    .describeExitCodes({
      [exitCodes.done]: 'all are in',
      [exitCodes.failed]: 'not finished; what was taken in stays, and it can be run again',
      [exitCodes.someLeft]: 'some were refused, all others are in',
    })
    .action(importFile);
}
