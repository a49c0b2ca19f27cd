/** Files of users as people make them with a spreadsheet, each with a mistake, and the messages of an import. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { csv } from '../../src/adapters/formats/csv/csv.ts';
import { messageOf } from '../../src/adapters/system/errors.ts';
import { describeTable } from '../../src/commands/files/import-report.ts';
import { takeResources } from '../../src/commands/files/take-resources.ts';
import { aUser } from '../support/a-user.ts';
import { userCodec, userDefinition } from '../support/kinds.ts';
import { memoryStore, portOf } from '../support/stores.ts';
import { insertAll } from './directories.ts';
import { type SavedTable, savedTables } from './other-programs.ts';

/** Cells by row, the headings first. */
type Table = string[][];

interface Language {
  readonly name: string;
  readonly headings: readonly string[];
  readonly booleans: readonly [string, string];
}

const languages: readonly Language[] = [
  {
    name: 'German',
    headings: ['Benutzername', 'Vorname', 'Nachname', 'E-Mail', 'Aktiv', 'Rollen', 'Land', 'Sprache'],
    booleans: ['WAHR', 'FALSCH'],
  },
  {
    name: 'English',
    headings: ['User name', 'First name', 'Last name', 'Email', 'Active', 'Roles', 'Country', 'Language'],
    booleans: ['yes', 'no'],
  },
  {
    name: 'French, under paths,',
    headings: [
      ...['userName', 'name.givenName', 'name.familyName', 'emails.0.value'],
      ...['active', 'roles', 'addresses.0.country', 'preferredLanguage'],
    ],
    booleans: ['VRAI', 'FAUX'],
  },
];

const separators = { semicolons: ';', commas: ',', tabs: '\t' };
const encodings: Readonly<Record<string, (text: string) => Buffer>> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-8 with a byte order mark': (text) => Buffer.from(`\uFEFF${text}`),
  'windows-1252': (text) => iconv.encode(text, 'windows-1252'),
  'UTF-16 with a byte order mark': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-16': (text) => Buffer.from(text, 'utf16le'),
};

const [userName, givenName, , email, active, roles, country, language] = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** Changes one cell, of the second person if no other row is named. */
const cell =
  (column: number, value: string, row = 2) =>
  (table: Table): void => {
    const cells = table[row];
    if (cells !== undefined) cells[column] = value;
  };

interface Mistake {
  /** Changes the table. */
  readonly spoil?: (table: Table) => void;
  /** Changes the text. */
  readonly garble?: (text: string, separator: string) => string;
  /** Changes the bytes. */
  readonly damage?: (bytes: Buffer) => Buffer;
}

const mistakes: Readonly<Record<string, Mistake>> = {
  'no mistake': {},
  'a column that users do not have': {
    spoil: (table) => table.forEach((cells, row) => void cells.push(row === 0 ? 'Geburtsdatum' : '1.4.1990')),
  },
  'a misspelt heading': { spoil: cell(userName, 'Benuzername', 0) },
  'the same heading twice': { spoil: (table) => cell(givenName, table[0]?.[userName] ?? '', 0)(table) },
  'two headings for the same column': { spoil: cell(country, 'E-Mail-Adresse', 0) },
  'an empty heading': { spoil: cell(country, '', 0) },
  'no headings': { spoil: (table) => void table.shift() },
  'a title above the headings': { spoil: (table) => void table.unshift(['Mitarbeiterliste 2026']) },
  'a word that is neither true nor false': { spoil: cell(active, 'vielleicht') },
  'crosses for true': {
    spoil: (table) => {
      for (const row of [1, 2, 3]) cell(active, row === 1 ? 'x' : '', row)(table);
    },
  },
  'roles separated by commas': { spoil: cell(roles, 'engineer, admin') },
  'roles separated by semicolons': { spoil: cell(roles, 'engineer;admin') },
  'an address without a domain': { spoil: cell(email, 'ümit.firma.de') },
  'a space in a user name': { spoil: cell(userName, 'jörg müller') },
  'no user name': { spoil: cell(userName, '') },
  'a user name twice': { spoil: (table) => cell(userName, table[1]?.[userName] ?? '', 3)(table) },
  'a user who exists': { spoil: cell(userName, 'taken') },
  'the name of a country': { spoil: cell(country, 'Österreich') },
  'a language with an underscore': { spoil: cell(language, 'de_DE') },
  'a number for an id': {
    spoil: (table) => table.forEach((cells, row) => void cells.unshift(row === 0 ? 'id' : `${4710 + row}`)),
  },
  'a cell that is too long': { spoil: cell(givenName, 'Ö'.repeat(200)) },
  'a row with too few cells': { spoil: (table) => void table[2]?.pop() },
  'a separator without quotes': {
    garble: (text, separator) => text.replace('Jörg', `Jörg${separator} Peter`),
  },
  'a quote in a cell': { garble: (text) => text.replace('Jörg', 'Jörg "Yogi"') },
  'a quote that is never closed': { garble: (text) => text.replace('Jörg', '"Jörg') },
  'a last line without a line break': { garble: (text) => text.trimEnd() },
  'headings with two separators': {
    garble: (text, separator) =>
      text
        .replace(separator, separator === ';' ? ',' : ';')
        .replace(separator, separator === ';' ? ',' : ';'),
  },
  'a line in another encoding': {
    damage: (bytes) => Buffer.concat([bytes, Buffer.of(0x4a, 0xf6, 0x72, 0x67, 0x0a)]),
  },
  'Polish letters in the code page of Poland': {
    garble: (text) => text.replaceAll('Jörg', 'Michał'),
    damage: (bytes) => iconv.encode(String(bytes), 'windows-1250'),
  },
  'an Excel workbook': { damage: () => Buffer.from('504b030414000600', 'hex') },
};

function makeTable({ headings, booleans: [yes, no] }: Language): Table {
  return [
    [...headings],
    ['björn.groß', 'Björn', 'Groß', 'bjoern.gross@firma.de', yes, 'engineer', 'DE', 'de'],
    ['jörg.müller', 'Jörg', 'Müller', 'joerg.mueller@firma.de', no, 'engineer|admin', 'AT', 'de'],
    ['rené.weiß', 'René', 'Weiß', 'rene.weiss@firma.de', yes, 'clerk', 'CH', 'fr'],
  ];
}

const at = <Value>(values: readonly Value[], index: number): Value => values[index % values.length] as Value;

/** Two of each mistake, which have separator, encoding and language in turn. */
function* makeFiles(): Generator<{ readonly title: string; readonly bytes: Buffer }> {
  let count = 0;
  for (const [what, { spoil, garble, damage }] of Object.entries(mistakes))
    for (const round of [0, 1]) {
      const index = 2 * Object.keys(mistakes).indexOf(what) + round;
      const [separatorName, separator] = at(Object.entries(separators), index);
      const [encodingName, encode] = at(Object.entries(encodings), Math.floor(index / 2) + 2 * round);
      const language = at(languages, Math.floor(index / 3) + round);
      const table = makeTable(language);
      spoil?.(table);
      const isQuoted = (value: string): boolean => value.includes(separator) || value.includes('\n');
      const text = table
        .map(
          (cells) => `${cells.map((value) => (isQuoted(value) ? `"${value}"` : value)).join(separator)}\r\n`,
        )
        .join('');
      const garbled = garble?.(text, separator) ?? text;
      const bytes = damage === undefined ? encode(garbled) : damage(Buffer.from(garbled));
      count += 1;
      const encoding = damage === undefined ? ` in ${encodingName}` : '';
      yield { title: `${count}. ${what}: ${language.name} with ${separatorName}${encoding}`, bytes };
    }
}

/** What is written to standard error meanwhile. */
async function toldBy(act: () => Promise<void>): Promise<string> {
  const { write } = process.stderr;
  let told = '';
  process.stderr.write = (piece: string | Uint8Array) => {
    told += String(piece);
    return true;
  };
  try {
    await act();
    return told;
  } finally {
    process.stderr.write = write;
  }
}

/** Imports the file into a directory with one user. */
async function tell(path: string, wishes: SavedTable['wishes'] = {}): Promise<string> {
  const store = memoryStore();
  await insertAll(store, [aUser({ userName: 'taken' })]);
  const rejects = `${path}.rejects.csv`;
  const told = await toldBy(async () => {
    const { counts, failure, table } = await takeResources(
      { path, kind: userDefinition.kind, codec: userCodec(csv), rejects, ...wishes },
      {
        signal: new AbortController().signal,
        onFatal: (error) => {
          throw error;
        },
        assertForeign: async () => undefined,
        openStore: async () => portOf(store),
      },
    );
    if (table !== undefined) process.stderr.write(`${describeTable(table)}\n`);
    process.stderr.write(`${counts.created} created, ${counts.rejected} refused\n`);
    if (failure !== undefined)
      process.stderr.write(`Not finished: ${messageOf(failure).replace(path, 'users.csv')}\n`);
  });
  return told;
}

/** A text for people: each file, and the messages of its import. */
export async function tellFiles(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hr-files-'));
  try {
    let text = '';
    const others = savedTables().map(({ title, ...more }, at) => ({
      title: `${at + 61}. ${title}`,
      ...more,
    }));
    for (const { title, bytes, wishes } of [...makeFiles(), ...others] as readonly SavedTable[]) {
      const path = join(folder, `${title.replace(/\..*/, '')}.csv`);
      writeFileSync(path, bytes);
      text += `${title}\n${(await tell(path, wishes)).replace(/^(?=.)/gm, '    ')}\n`;
    }
    return text;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const recorded = 'test/process/recorded/hr-files.txt';

export const recordedFiles = (): string => readFileSync(recorded, 'utf8');
export const recordFiles = async (): Promise<void> => writeFileSync(recorded, await tellFiles());
