/** Reads text into a tree of elements: saxes checks it, its texts are separated, and fast-xml-parser reads the rest. */
import { XMLParser } from 'fast-xml-parser';
import { separateTexts } from './separate-texts.ts';
import { checkWellFormed, type ElementStart } from './well-formedness.ts';

export interface Element extends ElementStart {
  readonly children: readonly Element[];
  /** All text directly inside, joined: comments and CDATA sections don't split a value. */
  readonly text: string;
}

/** A text or an element. With `preserveOrder` each node is an object with a single key. */
type Node = Readonly<Record<string, unknown>>;

const textKey = '#text';

/** Interprets nothing: names, attributes and namespaces come from saxes, and texts are replaced by their indexes. */
const reader = new XMLParser({
  preserveOrder: true,
  trimValues: false,
  parseTagValue: false,
  // Unused here, and building paths takes time.
  jPath: false,
  ignoreAttributes: true,
  processEntities: false,
  textNodeName: textKey,
});

function readContent(nodes: readonly Node[], opened: Iterator<ElementStart>, texts: readonly string[]) {
  const children: Element[] = [];
  let text = '';
  for (const node of nodes) {
    if (textKey in node) text += texts[Number(node[textKey])];
    else children.push(readElement(node, opened, texts));
  }
  return { children, text };
}

function readElement(node: Node, opened: Iterator<ElementStart>, texts: readonly string[]): Element {
  const [inside] = Object.values(node);
  const next = opened.next();
  if (next.done === true) throw new Error('the two readers saw different elements');
  return { ...next.value, ...readContent(inside as Node[], opened, texts) };
}

/** UTF-16 code units whose line ends are normalized in one step. */
const stepLength = 16 * 1024;

/** As XML 1.0 §2.11 demands; faster here than in saxes. */
function* normalizeLineEnds(text: string): Generator<void, string, void> {
  if (!text.includes('\r')) return text;
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    // CR and LF of one line end must not be separated.
    const end = from + stepLength + (text[from + stepLength] === '\n' ? 1 : 0);
    parts.push(text.slice(from, end).replaceAll('\r\n', '\n').replaceAll('\r', '\n'));
    from = end;
    yield;
  }
  return parts.join('');
}

/** The root element, read in steps. @throws UnreadableError as `checkWellFormed` does */
export function* readTree(text: string, limit?: number): Generator<void, Element, void> {
  const lines = yield* normalizeLineEnds(text);
  const opened = (yield* checkWellFormed(lines, limit)).values();
  const { skeleton, texts } = yield* separateTexts(lines);
  const nodes = reader.parse(skeleton) as Node[];
  yield;
  const { children } = readContent(nodes, opened, texts);
  const [root] = children;
  if (root === undefined || opened.next().done !== true)
    throw new Error('the two readers saw different elements');
  return root;
}
