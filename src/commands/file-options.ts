/** Options that export and import share. */
import { Option } from 'commander';
import type { TObject } from 'typebox';
import { namingOf } from '../adapters/apis/resources/definition.ts';
import { fileFormats, findFileFormat } from '../adapters/formats/file-formats.ts';
import type { FileCodec, FileFormat } from '../adapters/formats/port/file-format.ts';
import { type Delimiter, type DelimiterName, delimiters } from '../adapters/formats/port/file-format.ts';
import { messageOf } from '../adapters/system/errors.ts';
import { kindsOfSettings } from '../config/declarations.ts';
import { loadSettings } from '../config/settings.ts';
import { membershipFile } from '../domain/import/memberships.ts';
import { kindsOf } from '../domain/kinds.ts';
import type { CommandLine } from './command-line.ts';
import { changeFile, changeFileOf, type ExportKind } from './files/changes.ts';
import { readOneOf, refuseRepeated } from './values.ts';

const formatNames = fileFormats.map(({ name }) => name);
const endings = fileFormats.flatMap((format) => format.endings);

/** An option that takes one of these names. */
export const choice = <Name extends string>(
  flags: string,
  names: readonly Name[],
  description: string,
): Option => new Option(flags, description).argParser(refuseRepeated(readOneOf(names)));

export const formatOption = (): Option =>
  choice('--format <name>', formatNames, `${formatNames.join(', ')}; default: by the file name`);

export function kindOption(): Option {
  const names = [...kindsOf().all, membershipFile, changeFile].map(({ plural }) => plural);
  return choice('--kind <name>', names, `content of the file: ${names.join(', ')}; default: users`);
}

const delimiterNames = Object.keys(delimiters) as DelimiterName[];

/** @param rest the default */
export const delimiterOption = (rest: string): Option =>
  new Option('--delimiter <name>', `CSV: ${delimiterNames.join(', ')}; default: ${rest}`).argParser(
    refuseRepeated(
      (text): Delimiter =>
        Object.values(delimiters).find((one) => one === text) ?? delimiters[readOneOf(delimiterNames)(text)],
    ),
  );

/** The kinds of the installation, for the options of a file. Wrong settings are reported later, when the store is opened. */
export async function loadFileKinds(): Promise<readonly ExportKind[]> {
  const kinds = await loadSettings().then(kindsOfSettings, () => kindsOf());
  return [...kinds.all, membershipFile, changeFileOf(kinds)];
}

/** @param name of `--kind` */
export const findFileKind = (fileKinds: readonly ExportKind[], name = 'users'): ExportKind =>
  fileKinds.find(({ plural }) => plural === name) ?? membershipFile;

/** Reads an option whose valid values depend on another option. Ends the command if the value is invalid. */
export function readLate<T>(flag: string, read: () => T, command: CommandLine): T {
  try {
    return read();
  } catch (error) {
    return command.error(`error: option '${flag}' is invalid. ${messageOf(error)}`);
  }
}

/** The format of `--format`, or else of the file name. Ends the command if neither names one. @param name of `--format` */
export function chooseFormat(path: string, name: string | undefined, command: CommandLine): FileFormat {
  const format = fileFormats.find((one) => one.name === name) ?? findFileFormat(path);
  if (format !== undefined) return format;
  if (/\.(?:xlsx?|ods)$/i.test(path))
    command.error('error: a workbook cannot be read or written: save it as CSV');
  return command.error(
    `error: give --format, or the file an ending of ${endings.join(', ')}, with or without .gz`,
  );
}

/** Ends the command if one of these options is given. @param needs what the option requires, for the message */
export function assertAbsent(
  names: readonly string[],
  needs: string,
  options: object,
  command: CommandLine,
): void {
  const given = names.find((name) => Object.hasOwn(options, name));
  if (given === undefined) return;
  const flag = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  command.error(`error: --${flag} goes with ${needs}`);
}

/** Ends the command if an option for tables is given with another format. */
export function assertColumns(
  format: FileFormat,
  options: object,
  names: readonly string[],
  command: CommandLine,
): void {
  const tables = fileFormats.filter(({ hasColumns }) => hasColumns).map(({ name }) => name);
  if (!format.hasColumns) assertAbsent(names, `--format ${tables.join(' or ')}`, options, command);
}

/** The codec for files of this kind. */
export const codecOf = <T>(
  kind: Pick<ExportKind, 'name' | 'plural'> & { readonly shown: TObject },
  format: FileFormat,
): FileCodec<T> => format.codec<T>(kind.shown, namingOf(kind));
