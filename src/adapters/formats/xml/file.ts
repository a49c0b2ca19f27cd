/** XML user files: a list in the format of `GET /users`, read and printed item by item. Rejects show items as they are in the file. */
import type { TObject } from 'typebox';
import type { FileCodec, FileFormat, FileReadOptions, RejectPrinter } from '../port/file-format.ts';
import { batchRows, describeRejection } from '../port/file-rows.ts';
import type { Codec, Format, Naming } from '../port/format.ts';
import { ListReader, type XmlRow } from './list/list.ts';
import { decodeXmlStream } from './text/decode.ts';

async function* readRows(
  schema: TObject,
  naming: Naming,
  chunks: AsyncIterable<Uint8Array>,
  { encoding, maxRowLength: maxItemLength, onFront }: FileReadOptions,
): AsyncGenerator<Iterable<XmlRow>> {
  const onStartTag = (text: string) => onFront?.({ text });
  const reader = new ListReader({ schema, naming, isQuick: true, maxItemLength, onStartTag });
  for await (const piece of decodeXmlStream(chunks, encoding)) yield reader.read(piece);
  reader.end();
}

/** Two hyphens may not occur in a comment (XML 1.0 §2.5). They occur in JSON strings only, where one can be escaped. */
const toComment = (value: unknown): string =>
  `<!-- ${JSON.stringify(value).replaceAll('--', '-\\u002d')} -->`;

/** Rejected items keep their prefixes and namespace: those of the list's start tag. */
function createRejectPrinter<T>(codec: Codec<T>, header: string | undefined): RejectPrinter {
  const { open, close } = codec.list;
  const declaration = open().slice(0, open().indexOf('?>') + 2);
  const name = header && /^<([^\s/>]+)/.exec(header)?.[1];
  const list =
    name === undefined ? { open: open(), close } : { open: declaration + header, close: `</${name}>` };
  return {
    open: `${list.open}\n`,
    between: '\n',
    close: `\n${list.close}\n`,
    row: (row, violations) => `${toComment(describeRejection(row, violations))}\n${row.text}`,
  };
}

function codec<T>(xml: Format, schema: TObject, naming: Naming): FileCodec<T> {
  const whole = xml.codec<T>(schema, naming);
  const { open, close, item } = whole.list;
  const rowOfJson = (text: string): string => whole.transcoder?.item(text) ?? item(JSON.parse(text) as T);
  return {
    read: (chunks, options) => batchRows(readRows(schema, naming, chunks, options), ({ length }) => length),
    // One line per user, for editors and line-based tools.
    printer: () => ({ open: `${open()}\n`, between: '\n', close: `\n${close}\n`, row: item, rowOfJson }),
    rejectPrinter: (front) => createRejectPrinter(whole, front?.text),
  };
}

export const createXmlFile = (xml: Format): FileFormat => ({
  name: 'xml',
  endings: ['.xml'],
  hasColumns: false,
  codec: (schema, naming) => codec(xml, schema, naming),
});
