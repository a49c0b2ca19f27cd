/** The formats of the command, without compiled code, and the kinds with the attributes that the installation declares. */

import type { Declarations, Declared } from '../../domain/kinds/attributes/declaration.ts';
import type { Kind } from '../../domain/kinds/kind.ts';
import { kindsOf } from '../../domain/kinds.ts';
import { namingOf } from '../apis/resources/definition.ts';
import { csv } from '../formats/csv/csv.ts';
import { jsonFile } from '../formats/json/file.ts';
import { jsonl } from '../formats/json/jsonl.ts';
import type {
  FileCodec,
  FileFormat,
  FileFront,
  FileReadOptions,
  FileRow,
} from '../formats/port/file-format.ts';
import { delimiters, keyOf, maxRowLength } from '../formats/port/file-format.ts';
import { UnreadableError } from '../formats/text/positions.ts';
import { makeXml } from '../formats/xml/codec.ts';
import { createXmlFile } from '../formats/xml/file.ts';
import { interpretPrinter } from '../formats/xml/print.ts';
import type { FileKindName, FormatName, ReadWishes } from './engine.ts';

const xmlFile = createXmlFile(makeXml({ isQuick: true, printerOf: interpretPrinter }));

export const formats: readonly FileFormat[] = [csv, jsonl, jsonFile, xmlFile];

/** The published limits of one attribute, or of the items of a list. */
interface Published extends Pick<Declared, 'maxItems' | 'maxLength' | 'minimum' | 'maximum'> {
  readonly 'x-type': Declared['type'];
  readonly 'x-labels'?: Declared['label'];
  readonly 'x-pattern'?: Declared['pattern'];
  readonly 'x-description'?: Declared['description'];
  readonly 'x-unique'?: Declared['unique'];
  readonly readOnly?: boolean;
  readonly 'x-values'?: string[];
  readonly items?: Omit<Published, 'x-type'>;
}

function toDeclared(published: Published): Declared {
  const { 'x-type': type, 'x-labels': label, readOnly: retired, items, maxItems } = published;
  const { 'x-pattern': pattern, 'x-description': description, 'x-unique': unique } = published;
  const { maxLength, minimum, maximum, 'x-values': values } = items ?? published;
  const limits = { maxItems, maxLength, minimum, maximum, values, pattern, unique };
  const given = { label, description, retired, ...limits };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { type, list: items !== undefined, ...Object.fromEntries(set) };
}

async function loadAttributes(kind: FileKindName, input: string) {
  // Two folders above the script, as in `console/src/root.ts`.
  const url = new URL(`../../schemas/${kind}.json`, import.meta.url);
  const answer = await fetch(url, { credentials: 'omit' });
  if (!answer.ok) throw new Error(`the schema: ${answer.status}`);
  const { attributes } = (await answer.json()).$defs[input].properties;
  const published = Object.entries((attributes.properties ?? {}) as Readonly<Record<string, Published>>);
  return {
    undeclared: attributes.additionalProperties === false ? 'refuse' : 'text',
    attributes: Object.fromEntries(published.map(([name, one]) => [name, toDeclared(one)])),
  } as const;
}

/** The attributes that the installation declares, from the schema that it publishes. @throws as `fetch` */
async function loadDeclarations(): Promise<Declarations> {
  const [ofUsers, { attributes: groups }] = await Promise.all([
    loadAttributes('user', 'UserInput'),
    loadAttributes('group', 'GroupInput'),
  ]);
  return { ...ofUsers, groups };
}

const kinds = kindsOf(await loadDeclarations());

export const kindNamed = (name: FileKindName): Kind => kinds.of(name);

export function codecOf(kind: FileKindName, format: FormatName): FileCodec<unknown> {
  const found = formats.find(({ name }) => name === format) ?? csv;
  return found.codec(kindNamed(kind).shown, namingOf(kindNamed(kind)));
}

/** @param onFront as in `FileReadOptions` */
export const readOptionsOf = (
  { delimiter, lastLine, ...others }: ReadWishes,
  onFront: NonNullable<FileReadOptions['onFront']>,
): FileReadOptions => ({
  ...{ ...others, onFront, maxRowLength },
  lastLine,
  delimiter: delimiter && delimiters[delimiter],
});

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

/** Reads the text as the only row of a file. @returns undefined if the text is empty */
async function readAgain(
  codec: FileCodec<unknown>,
  { position }: FileRow,
  text: string,
  front: FileFront | undefined,
): Promise<FileRow | undefined> {
  const { open, close } = codec.rejectPrinter(front);
  const refuse = (detail: string): FileRow => ({
    ...{ value: undefined, violations: [{ pointer: '', detail }], position, text },
  });
  const found: FileRow[] = [];
  try {
    for await (const rows of codec.read(bytesOf(open + text + close), { maxRowLength })) found.push(...rows);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return refuse(error.message);
  }
  const [again, another] = found;
  if (again === undefined) return undefined;
  const { value, violations } = again;
  return another === undefined ? { value, violations, position, text } : refuse('must be one entry');
}

/** Reads rows, with a person's corrections. The reader of tables applies them itself. */
export async function* readRows(
  codec: FileCodec<unknown>,
  chunks: AsyncIterable<Uint8Array>,
  options: FileReadOptions,
): AsyncGenerator<readonly FileRow[]> {
  const { corrections, rows: wanted, onFront } = options;
  let front: FileFront | undefined;
  const keepFront = (found: FileFront) => {
    front = found;
    onFront?.(found);
  };
  for await (const rows of codec.read(chunks, { ...options, onFront: keepFront })) {
    if (front?.table !== undefined || (corrections ?? wanted) === undefined) {
      yield rows;
      continue;
    }
    const corrected = rows
      .filter(({ position }) => wanted?.has(keyOf(position)) !== false)
      .map(async (row) => {
        const text = corrections?.get(keyOf(row.position));
        // As a blank row of a table.
        if (text === '') return undefined;
        return typeof text === 'string' ? await readAgain(codec, row, text, front) : row;
      });
    yield (await Promise.all(corrected)).filter((row) => row !== undefined);
  }
}
