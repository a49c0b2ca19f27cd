/** What export and import have in common: the words of their command lines, and the store that they work on. */
import { Option } from 'commander';
import { userNaming } from '../../adapters/apis/users/documents.ts';
import type { FileCodec, FileFormat } from '../../adapters/formats/file-format.ts';
import { fileFormats, findFileFormat } from '../../adapters/formats/file-formats.ts';
import { describeStore, isShared, isThere, openStore } from '../../adapters/stores/index.ts';
import { loadSettings } from '../../config.ts';
import type { UserStore } from '../../domain/ports.ts';
import { User } from '../../domain/user.ts';
import type { CommandLine } from '../command-line.ts';
import { readOneOf, refuseRepeated } from '../values.ts';

const formatNames = fileFormats.map(({ name }) => name);
const endings = fileFormats.flatMap((format) => format.endings);

export const formatOption = (): Option =>
  new Option(
    '--format <name>',
    `${formatNames.join(', ')}: where the file's ending doesn't say it`,
  ).argParser(refuseRepeated(readOneOf(formatNames)));

/** Ends the command where neither says it. @param name of `--format` */
export function chooseFormat(path: string, name: string | undefined, command: CommandLine): FileFormat {
  const format = fileFormats.find((one) => one.name === name) ?? findFileFormat(path);
  if (format !== undefined) return format;
  return command.error(
    `error: give --format, or the file an ending of ${endings.join(', ')}, with or without .gz`,
  );
}

/** Ends the command where an option for tables is given with a format that is none. */
export function assertColumns(
  format: FileFormat,
  options: object,
  names: readonly string[],
  command: CommandLine,
): void {
  const given = names.find((name) => Object.hasOwn(options, name));
  if (given === undefined || format.hasColumns) return;
  const tables = fileFormats.filter(({ hasColumns }) => hasColumns).map(({ name }) => name);
  command.error(`error: --${given} goes with --format ${tables.join(' or ')}`);
}

export const userCodec = (format: FileFormat): FileCodec<User> => format.codec<User>(User, userNaming);

export interface StoreUse {
  /** Called when the store can't go on: the process must end. */
  readonly onFatal: (error: unknown) => void;
  /** Takes lines for the operator. */
  readonly print: (line: string) => void;
  /** Refuses a store where nothing is yet. */
  readonly mustBeThere?: boolean;
}

/** The one that the service is set to use. @throws Error where there is none that lasts */
export async function openConfiguredStore({ onFatal, print, mustBeThere }: StoreUse): Promise<UserStore> {
  const settings = await loadSettings();
  const { store: kind } = settings;
  if (!isShared(kind)) throw new Error(`the store ${kind} is one process's own: set USERS_STORE to another`);
  if (mustBeThere && !isThere(kind, settings))
    throw new Error(`${await describeStore(kind, settings)} is not there`);
  return openStore(kind, settings, { onFatal, onProblem: print, onNotice: print });
}
