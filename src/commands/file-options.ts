/** Options that export and import share. */
import { Option } from 'commander';
import { namingOf } from '../adapters/apis/resources/definition.ts';
import type { FileCodec, FileFormat } from '../adapters/formats/core/file-format.ts';
import { fileFormats, findFileFormat } from '../adapters/formats/file-formats.ts';
import type { Kind } from '../domain/kinds/kind.ts';
import type { Resource } from '../domain/resource/resource.ts';
import type { CommandLine } from './command-line.ts';
import { readOneOf, refuseRepeated } from './values.ts';

const formatNames = fileFormats.map(({ name }) => name);
const endings = fileFormats.flatMap((format) => format.endings);

export const formatOption = (): Option =>
  new Option(
    '--format <name>',
    `${formatNames.join(', ')}: where the file's ending doesn't say it`,
  ).argParser(refuseRepeated(readOneOf(formatNames)));

/** Ends the command where neither names a format. @param name of `--format` */
export function chooseFormat(path: string, name: string | undefined, command: CommandLine): FileFormat {
  const format = fileFormats.find((one) => one.name === name) ?? findFileFormat(path);
  if (format !== undefined) return format;
  return command.error(
    `error: give --format, or the file an ending of ${endings.join(', ')}, with or without .gz`,
  );
}

/** Ends the command where an option for tables is given with another format. */
export function assertColumns(
  format: FileFormat,
  options: object,
  names: readonly string[],
  command: CommandLine,
): void {
  const given = names.find((name) => Object.hasOwn(options, name));
  if (given === undefined || format.hasColumns) return;
  const tables = fileFormats.filter(({ hasColumns }) => hasColumns).map(({ name }) => name);
  const flag = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  command.error(`error: --${flag} goes with --format ${tables.join(' or ')}`);
}

/** For files of the kind's resources. */
export const codecOf = (kind: Kind, format: FileFormat): FileCodec<Resource> =>
  format.codec<Resource>(kind.schema, namingOf(kind));
