/**
 * Reads any XML into a tree of elements.
 *
 * fast-xml-parser accepts much that isn't XML, keeps prefixes, expands a DOCTYPE, and can't be interrupted. So saxes reads the text first,
 * strictly and in steps, and makes a skeleton: the start tags with their names and namespaces, the texts, and how elements and texts nest, in
 * XML of one name without attributes. fast-xml-parser reads that.
 */
import { XMLParser } from 'fast-xml-parser';
import { SaxesParser } from 'saxes';
import { maxDepth, maxNodes } from '../../port/format.ts';
import { positionAt, UnreadableError } from '../../text/positions.ts';
import type { Element, ElementStart } from './document.ts';
import { hasOddTarget, positionOf, type Refuse, refuseUnsupported, toElementStart } from './strict-parser.ts';

/** UTF-16 code units that are read in one step: a millisecond or two for any content. */
const stepLength = 4 * 1024;

const bareAmpersand = /&(?![\w#:.-]+;)/;

class Skeleton {
  /** In document order. */
  readonly starts: ElementStart[] = [];
  /** Comments and CDATA sections don't split a text. */
  readonly texts: string[] = [];
  /** The elements; the index of each text replaces it. */
  elements = '';
  #text = '';

  open(start: ElementStart): void {
    this.#endText();
    this.starts.push(start);
    this.elements += '<e>';
  }

  close(): void {
    this.#endText();
    this.elements += '</e>';
  }

  add(text: string): void {
    this.#text += text;
  }

  #endText(): void {
    if (this.#text === '') return;
    this.elements += this.texts.length;
    this.texts.push(this.#text);
    this.#text = '';
  }
}

/**
 * @throws UnreadableError for anything but well-formed XML 1.0 with namespaces, for a DOCTYPE, and beyond maxDepth or `limit` elements,
 * attributes and CDATA sections
 */
function* readSkeleton(text: string, limit: number): Generator<void, Skeleton, void> {
  const skeleton = new Skeleton();
  const parser = new SaxesParser({ xmlns: true, position: true });
  let written = 0;
  const refuse: Refuse = (detail) => {
    // saxes reads the text up to the next semicolon as a name, and reports a character in it.
    const ampersand = text.includes('<!') ? -1 : text.slice(0, parser.position).search(bareAmpersand);
    if (ampersand >= 0)
      throw new UnreadableError('an ampersand is written as &amp;', positionAt(text, ampersand));
    throw new UnreadableError(detail, positionOf(parser, written));
  };
  let depth = 0;
  let nodes = 0;
  const count = () => {
    nodes += 1;
    if (nodes > limit) refuse(`it has more than ${limit} elements, attributes and CDATA sections`);
  };
  refuseUnsupported(parser, refuse);
  parser.on('processinginstruction', (instruction) => {
    if (hasOddTarget(instruction, (length) => text.slice(0, parser.position).slice(-length)))
      throw new UnreadableError('a processing instruction has a question mark in its name');
  });
  parser.on('attribute', count);
  parser.on('text', (more) => skeleton.add(more));
  parser.on('cdata', (more) => {
    count();
    skeleton.add(more);
  });
  parser.on('opentag', (tag) => {
    count();
    depth += 1;
    if (depth > maxDepth) refuse(`nesting is deeper than ${maxDepth}`);
    skeleton.open(toElementStart(tag));
  });
  parser.on('closetag', () => {
    depth -= 1;
    skeleton.close();
  });
  // Decoding has removed one byte order mark. A second is text before the root, which saxes would overlook.
  if (text.startsWith('\uFEFF')) refuse('text data outside of root node');
  // saxes takes any code unit after a high surrogate for the low one, even `<`.
  if (!text.isWellFormed())
    throw new UnreadableError('disallowed character', positionAt(text, text.search(/\p{Cs}/u)));
  for (let from = 0; from < text.length; from += stepLength) {
    if (from > 0) yield;
    const step = text.slice(from, from + stepLength);
    written += step.length;
    parser.write(step);
  }
  parser.close();
  return skeleton;
}

/** A text or an element. With `preserveOrder` each node is an object with a single key. */
type Node = Readonly<Record<string, unknown>>;

const textKey = '#text';

const parser = new XMLParser({
  preserveOrder: true,
  trimValues: false,
  parseTagValue: false,
  // Unused here, and building paths takes time.
  jPath: false,
  ignoreAttributes: true,
  processEntities: false,
  textNodeName: textKey,
});

function readContent(nodes: readonly Node[], starts: Iterator<ElementStart>, texts: readonly string[]) {
  const children: Element[] = [];
  let text = '';
  for (const node of nodes)
    if (textKey in node) text += texts[Number(node[textKey])];
    else children.push(readElement(node, starts, texts));
  return { children, text };
}

function readElement(node: Node, starts: Iterator<ElementStart>, texts: readonly string[]): Element {
  const [inside] = Object.values(node);
  const next = starts.next();
  if (next.done === true) throw new Error('the two readers saw different elements');
  return { ...next.value, ...readContent(inside as Node[], starts, texts) };
}

/** The root element, read in steps. @throws UnreadableError as `readSkeleton` does */
export function* readTree(text: string, limit = maxNodes): Generator<void, Element, void> {
  const { elements, starts, texts } = yield* readSkeleton(text, limit);
  yield;
  const nodes = parser.parse(elements) as Node[];
  yield;
  const [root] = readContent(nodes, starts.values(), texts).children;
  if (root === undefined) throw new Error('the two readers saw different elements');
  return root;
}
