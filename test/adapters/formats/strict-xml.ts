/** Holds what is read of XML, quickly or not, to what the strict readers alone make of it. */

import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { type Parsed, runToEnd } from '../../../src/adapters/formats/port/format.ts';
import { UnreadableError } from '../../../src/adapters/formats/text/positions.ts';
import { ListReader } from '../../../src/adapters/formats/xml/list/list.ts';
import { readQuickDocument } from '../../../src/adapters/formats/xml/quick/reader.ts';
import { decodeXmlStream } from '../../../src/adapters/formats/xml/text/decode.ts';
import { createXml } from '../../../src/adapters/formats/xml/xml.ts';
import { User } from '../../../src/domain/kinds/user/user.ts';
import { naming } from '../../contract/format.ts';
import { listsOf, readList } from '../../contract/format-lists.ts';

export const readQuickly = (text: string): unknown => readQuickDocument(User, naming, text);

const strict = createXml(false).codec<User>(User, naming);

/** Undefined where it is no XML, or beyond the limits. */
function strictly(text: string): Parsed | undefined {
  try {
    // A document's declaration may name another encoding.
    return runToEnd(strict.read(Buffer.from(text), 'utf-8'));
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

const lists = listsOf({ name: 'xml' });
const strictLists: typeof lists = {
  async *read(chunks, { encoding, maxRowLength }) {
    const reader = new ListReader({ schema: User, naming, isQuick: false, maxItemLength: maxRowLength });
    for await (const text of decodeXmlStream(chunks, encoding))
      for (const row of reader.read(text)) yield [row];
    reader.end();
  },
};

/** Of a list, in one piece and in pieces of these sizes. */
export async function compareList(list: Uint8Array, sizes: readonly number[]): Promise<void> {
  for (const some of [[list.length], sizes]) {
    const [ours, strictly] = [await readList(lists, list, some), await readList(strictLists, list, some)];
    expectSame(toTold(ours), toTold(strictly), String(list));
  }
}

/** All that a reader tells of a list. */
const toTold = ({ items, error }: Awaited<ReturnType<typeof readList>>) => ({
  items,
  error: error && { message: error.message, position: error.position },
});
