/** Holds what is read of XML, quickly or not, to what the strict readers alone make of it. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import {
  type ListItem,
  type Parsed,
  type Position,
  runToEnd,
  UnreadableError,
} from '../../../src/adapters/formats/format.ts';
import { decodeXmlStream } from '../../../src/adapters/formats/xml-decode.ts';
import { ListParser } from '../../../src/adapters/formats/xml-list-parser.ts';
import { readPlainDocument } from '../../../src/adapters/formats/xml-plain-document.ts';
import { compileShape } from '../../../src/adapters/formats/xml-plain-shape.ts';
import { readDocument } from '../../../src/adapters/formats/xml-read.ts';
import { readTree } from '../../../src/adapters/formats/xml-tree.ts';
import { User } from '../../../src/domain/user/user.ts';
import { naming } from '../../contract/format.ts';
import { chunksOf, maxItemLength, readList } from '../../contract/format-lists.ts';
import { codec } from './xml-documents.ts';

const shape = compileShape(User);
export const readQuickly = (text: string): unknown => readPlainDocument(shape, naming, text);

/** Undefined where it is no XML, or beyond the limits. */
function strictly(text: string): Parsed | undefined {
  try {
    return readDocument(User, naming, runToEnd(readTree(text)));
  } catch (error) {
    if (error instanceof UnreadableError) return undefined;
    throw error;
  }
}

/** Also in the order of members. */
function expectSame(ours: unknown, strict: unknown, document: string): void {
  if (isDeepStrictEqual(ours, strict) && JSON.stringify(ours) === JSON.stringify(strict)) return;
  expect(ours, document).to.deep.equal(strict);
  expect(JSON.stringify(ours), document).to.equal(JSON.stringify(strict));
}

/** Of a document. @returns whether it was read quickly */
export function compareDocument(text: string): boolean {
  const value = readQuickly(text);
  if (value === undefined) return false;
  expectSame({ value, violations: [] }, strictly(text), text);
  return true;
}

/** All that a reader tells of a list. */
interface Told {
  readonly items: readonly ListItem[];
  readonly error: { readonly message: string; readonly position: Position | undefined } | undefined;
}

const toError = ({ message, position }: UnreadableError) => ({ message, position });

/** By the strict parser alone, which nothing is left out for. */
async function tellStrictly(list: Uint8Array, sizes: readonly number[]): Promise<Told> {
  const parser = new ListParser(User, naming, maxItemLength);
  const items: ListItem[] = [];
  try {
    for await (const text of decodeXmlStream(chunksOf(list, sizes), undefined)) parser.read(text);
    items.push(...parser.takeItems());
    parser.end();
    return { items, error: undefined };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return { items: [...items, ...parser.takeItems()], error: toError(error) };
  }
}

/** Of a list, in one piece and in pieces of these sizes. */
export async function compareList(list: Uint8Array, sizes: readonly number[]): Promise<void> {
  for (const some of [[list.length], sizes]) {
    const strictly = await tellStrictly(list, some);
    const { items, error } = await readList(codec, list, some);
    expectSame({ items, error: error && toError(error) }, strictly, String(list));
  }
}
