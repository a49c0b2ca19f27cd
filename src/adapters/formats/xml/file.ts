/** XML user files: a list in the format of `GET /users`, read and printed item by item. Rejects show items as they are in the file. */
import type { TObject } from 'typebox';
import type { FileCodec, FileFormat, FileReadOptions, FileRow, RejectPrinter } from '../port/file-format.ts';
import { batchRows, describeRejection } from '../port/file-rows.ts';
import type { Codec, Format, Naming } from '../port/format.ts';
import { readXmlList, type XmlItems } from './list/list.ts';
import { findMarkup } from './strict/separate-texts.ts';
import { decodeXmlStream } from './text/decode.ts';

interface XmlRow extends FileRow {
  /** UTF-16 code units from the start of the previous row. */
  readonly distance: number;
}

/** Keeps the text of each item. */
async function* noteTexts(pieces: AsyncIterable<string>, texts: ItemTexts): AsyncGenerator<string> {
  for await (const piece of pieces) {
    texts.add(piece);
    yield piece;
  }
}

async function* readRows(
  items: XmlItems,
  chunks: AsyncIterable<Uint8Array>,
  { encoding, maxRowLength, onFront }: FileReadOptions,
): AsyncGenerator<readonly XmlRow[]> {
  const texts = new ItemTexts(maxRowLength);
  const pieces = noteTexts(decodeXmlStream(chunks, encoding), texts);
  let isFirst = true;
  for await (const item of readXmlList(pieces, items, maxRowLength)) {
    const header = isFirst ? texts.findRootTag() : undefined;
    if (header !== undefined) onFront?.({ text: header });
    isFirst = false;
    const { value, violations, position, at } = item;
    yield [Object.assign(texts.take(at), { value, violations, position })];
  }
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
    read: (chunks, options) =>
      batchRows(readRows({ schema, naming, isQuick: true }, chunks, options), ({ distance }) => distance),
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

/** @param text begins with a well-formed element @returns that element; the whole text if it has no end */
function cutElement(text: string): string {
  let depth = 0;
  for (let at = 0; at >= 0; ) {
    const markup = findMarkup(text, at);
    if (markup === undefined) return text;
    const { kind, end } = markup;
    if (kind === 'tag' && text[end - 2] !== '/') depth += text[at + 1] === '/' ? -1 : 1;
    if (depth <= 0) return text.slice(0, end);
    at = text.indexOf('<', end);
  }
  return text;
}

/** @returns the first start tag after comments, instructions and white space; undefined when there is none */
function findRootTag(text: string): string | undefined {
  for (let at = text.indexOf('<'); at >= 0; ) {
    const markup = findMarkup(text, at);
    if (markup === undefined) return undefined;
    if (markup.kind === 'tag') return text.slice(at, markup.end);
    at = text.indexOf('<', markup.end);
  }
  return undefined;
}

/** The text of a list from the current item on. */
export class ItemTexts {
  readonly #maxLength: number;
  /** The text read since the last item found, and some before it. */
  #text = '';
  /** Where it begins in the whole text. */
  #from = 0;
  /** Where the last item begins. */
  #last = 0;

  /** @param maxLength of an item; older text is dropped */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The list's start tag; undefined when it is no longer kept. */
  findRootTag(): string | undefined {
    return this.#from === 0 ? findRootTag(this.#text) : undefined;
  }

  add(piece: string): void {
    const end = this.#from + this.#text.length;
    // White space and comments between two items have no limit.
    const isLong = this.#text.length > 2 * this.#maxLength;
    const from = Math.max(this.#from, this.#last, isLong ? end - this.#maxLength : 0);
    this.#text = this.#text.slice(from - this.#from) + piece;
    this.#from = from;
  }

  /**
   * @param at where an item after the previous ones begins
   * @returns its text, extracted on demand since few items need it, and its distance from the previous one
   */
  take(at: number): { readonly text: string; readonly distance: number } {
    const [read, from, distance] = [this.#text, at - this.#from, at - this.#last];
    this.#last = at;
    return {
      get text() {
        return cutElement(read.slice(from));
      },
      distance,
    };
  }
}
