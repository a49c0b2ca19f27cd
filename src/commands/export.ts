/** `export [FILE]`: writes the users of the configured store to a file, which appears when it is complete. */

import { InvalidArgumentError } from 'commander';
import { listParser } from '../adapters/apis/resources/list-query.ts';
import { defineUsers } from '../adapters/apis/users/definition.ts';
import { messageOf } from '../adapters/system/errors.ts';
import { standardStream } from '../adapters/user-files/file-name.ts';
import { openTarget } from '../adapters/user-files/target.ts';
import { describeCount } from '../domain/base/describe-count.ts';
import { isEverybody } from '../domain/find/conditions.ts';
import { kindsOf } from '../domain/kinds.ts';
import type { Store } from '../domain/store.ts';
import { printLine, startProgress } from '../process/output/progress.ts';
import { type CommandLine, exitCodes } from './command-line.ts';
import { assertColumns, chooseFormat, codecOf, formatOption } from './file-options.ts';
import { type ExportOptions, exportResources, type Selection } from './files/export-resources.ts';
import { type Frame, runOnStore } from './run-on-store.ts';
import { readPath, readText, refuseRepeated } from './values.ts';

const definition = defineUsers(kindsOf());
const parseListQuery = listParser(definition);

/** @throws InvalidArgumentError with the messages of GET /users */
function parseSelection(query: string): Selection {
  const { limit, hasTotal, conditions, sort } = parseOrRefuse(query);
  if (limit !== undefined || hasTotal)
    throw new InvalidArgumentError('limit, after, before and total are for pages: a file has all who match.');
  return { conditions, sort };
}

function parseOrRefuse(query: string) {
  try {
    return parseListQuery(query);
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error));
  }
}

/** Adds to the query in `previous`. */
function readWhere(text: string, previous?: string): string {
  const query = previous === undefined ? readText(text) : `${previous}&${readText(text)}`;
  parseSelection(query);
  return query;
}

const readColumns = (text: string): readonly string[] => readText(text).split(',');

interface GivenOptions {
  readonly format?: string;
  readonly where?: string;
  readonly columns?: readonly string[];
  readonly spreadsheet?: boolean;
  readonly force?: boolean;
}

type Wanted = Pick<ExportOptions, 'codec' | 'selection' | 'columns' | 'spreadsheet'> & {
  readonly path: string;
  readonly force: boolean | undefined;
};

/** Ends the command where the store is unavailable. */
function readWanted(path: string, given: GivenOptions, command: CommandLine): Wanted {
  const format = chooseFormat(path, given.format, command);
  assertColumns(format, given, ['columns', 'spreadsheet'], command);
  const { columns, spreadsheet, force, where = '' } = given;
  const codec = codecOf(definition.kind, format);
  try {
    if (columns !== undefined) codec.printer({ columns });
  } catch (error) {
    command.error(`error: ${messageOf(error)}`);
  }
  return { path, codec, columns, spreadsheet, force, selection: parseSelection(where) };
}

/** Counting the matches would cost as much as reading them. */
async function countUsers(store: Store, { conditions }: Selection): Promise<number | undefined> {
  if (!isEverybody(conditions.where)) return undefined;
  return (await store.page('user', { ...conditions, limit: 0, total: 'exact' })).total;
}

/** @returns how many users were left out */
async function writeFile(
  { path, force, ...wanted }: Wanted,
  { signal, assertForeign, openStore }: Frame,
): Promise<number> {
  if (path !== standardStream) await assertForeign(path);
  const store = await openStore('refuse');
  const target = openTarget(path, { force, signal });
  const progress = startProgress(await countUsers(store, wanted.selection));
  let damaged = 0;
  try {
    const written = await exportResources(store, target, {
      kind: definition.kind,
      ...wanted,
      signal,
      onProgress: progress.update,
      onDamaged: (id) => {
        damaged += 1;
        printLine(`Left out: what is stored of user ${id} can't be read`);
      },
    });
    await target.finish();
    progress.stop();
    printLine(`${describeCount(written, 'user is', 'users are')} in ${target.name}`);
    return damaged;
  } finally {
    progress.stop();
    target.discard();
  }
}

async function exportFile(path = standardStream, given: GivenOptions, command: CommandLine): Promise<void> {
  const wanted = readWanted(path, given, command);
  await runOnStore('No file', async (frame) => {
    const damaged = await writeFile(wanted, frame);
    if (damaged === 0) return;
    const left = describeCount(damaged, 'user was', 'users were');
    printLine(`${left} left out: they can be read again once they are replaced or removed`);
    process.exitCode = exitCodes.someLeft;
  });
}

export function register(command: CommandLine): void {
  command
    .argument('[file]', 'where to, packed where it ends with .gz; - or nothing: standard output', readPath)
    .addOption(formatOption())
    .option(
      '--where <query>',
      'only users who match, in the order that it asks for: role=admin, search=ada, sort=-created, as in the address of /users (a + is %2B); may be repeated, or joined by &',
      readWhere,
    )
    .option(
      '--columns <paths>',
      'of CSV: userName,name.familyName,emails.0.value and so on; left out, all that the users have',
      refuseRepeated(readColumns),
    )
    .option(
      '--spreadsheet',
      'of CSV: an apostrophe in front of cells that a spreadsheet would run; import it with --spreadsheet',
    )
    .option('--force', 'also over a file that is there')
    .describeExitCodes({
      [exitCodes.done]: 'the file is complete',
      [exitCodes.failed]: 'no file was written; what standard output has is not whole',
      [exitCodes.someLeft]:
        'the file is whole but for users whose stored documents cannot be printed; they are named',
    })
    .action(exportFile);
}
