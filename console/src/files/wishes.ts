/** What a person has chosen for an import. */
import type { Encoding, FileEngine, FormatName, ImportWishes, Preview, ReadWishes } from 'user-files/types';
import type { KindName } from '../schema/kinds.ts';

export const encodings: readonly Encoding[] = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-1'];

/** Empty texts: as recognized. */
export interface Choices
  extends Pick<ImportWishes, 'mode' | 'match' | 'emptyRemoves' | 'spreadsheet' | 'lastLine'> {
  readonly encoding: Encoding | '';
  readonly delimiter: NonNullable<ReadWishes['delimiter']> | '';
  /** `active/inactive` */
  readonly booleans: string;
}

export const usualChoices: Choices = {
  mode: 'create',
  match: 'id',
  encoding: '',
  delimiter: '',
  booleans: '',
};

/** How the file is read. Options of tables are left out for other formats. */
export function readWishesOf(
  engine: FileEngine,
  kind: KindName,
  format: FormatName,
  choices: Choices,
): ReadWishes {
  const encoding = choices.encoding === '' ? undefined : choices.encoding;
  if (format !== 'csv') return { kind, format, encoding };
  const { delimiter, booleans, emptyRemoves, spreadsheet, lastLine } = choices;
  return {
    ...{ kind, format, encoding, emptyRemoves, spreadsheet, lastLine },
    delimiter: delimiter === '' ? undefined : delimiter,
    booleans: engine.readBooleans(booleans),
  };
}

/** By heading: the path of its column, or nothing. @param own what the person has chosen, also for other files */
export const headingsOf = (
  { headings }: Preview,
  own: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> =>
  new Map(headings.map(({ heading, path = '' }) => [heading, own.get(heading) ?? path]));
