/** From text to a tree of elements: fast-xml-parser's reading of what the gate let through, told to interpret nothing. */
import { XMLParser } from 'fast-xml-parser';
import { UnreadableError } from './format.ts';
import { type Opened, passGate } from './xml-gate.ts';

export interface Element extends Opened {
  readonly children: readonly Element[];
  /** All text directly inside, joined: comments and CDATA marks don't split a value. */
  readonly text: string;
}

/** One of: text, CDATA, an element. With `preserveOrder` each node is an object with a single key. */
type Node = Readonly<Record<string, unknown>>;

const textKey = '#text';
const cdataKey = '#cdata';

const reader = new XMLParser({
  preserveOrder: true,
  trimValues: false,
  parseTagValue: false,
  // Nothing here asks for paths, and building them takes longer the longer the names are.
  jPath: false,
  // Attributes come from the gate, with their namespaces resolved.
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  // Its own decoding knows HTML's entities and drops references it can't place; `decoded` below knows XML's.
  processEntities: false,
  cdataPropName: cdataKey,
  textNodeName: textKey,
  // It throws on names such as constructor. Names come from the gate; here any will do, but for the slash of an
  // empty element, which it takes for a part of the name.
  transformTagName: (name) => (name.endsWith('/') ? 'element/' : 'element'),
});

/** A name that goes over into a question mark: not well-formed (XML 1.0 §2.6), and saxes lets it pass. */
const oddInstruction = /^<\?[^\s?]+\?(?!>$)/;

/**
 * What is nobody's value is taken out before: in a processing instruction it looks for quotes and attributes. Line ends
 * are settled by then, or else a comment that went might join two of them. `<?` and `<!--` stand nowhere else.
 */
const plain = (text: string): string =>
  text.replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>/g, (found) => {
    if (oddInstruction.test(found))
      throw new UnreadableError('a processing instruction has a question mark in its name');
    return found.startsWith('<![') ? found : '';
  });

const predefined: ReadonlyMap<string, string> = new Map(
  Object.entries({ '&lt;': '<', '&gt;': '>', '&amp;': '&', '&apos;': "'", '&quot;': '"' }),
);

/** Of `&#65;` or `&#x41;`. */
const characterOf = (reference: string): string =>
  String.fromCodePoint(Number((reference[2] === 'x' ? '0' : '') + reference.slice(2, -1)));

/** The five entities and the numeric references of XML (§4.1, §4.6); that there are no others, and that each is a character, the gate saw. */
const decoded = (raw: string): string =>
  raw.includes('&')
    ? raw.replace(/&[^;]+;/g, (reference) => predefined.get(reference) ?? characterOf(reference))
    : raw;

const rawText = (node: unknown): string =>
  Array.isArray(node) ? node.map((part: Node) => String(part[textKey] ?? '')).join('') : String(node);

function content(nodes: readonly Node[], opened: Iterator<Opened>) {
  const children: Element[] = [];
  let text = '';
  for (const node of nodes) {
    if (textKey in node) text += decoded(rawText(node[textKey]));
    else if (cdataKey in node) text += rawText(node[cdataKey]);
    else children.push(element(node, opened));
  }
  return { children, text };
}

function element(node: Node, opened: Iterator<Opened>): Element {
  const [inside] = Object.values(node);
  const next = opened.next();
  if (next.done === true) throw new Error('the two readers saw different elements');
  return { ...next.value, ...content(inside as Node[], opened) };
}

/** The root element. @throws UnreadableError as the gate does */
export function readTree(text: string): Element {
  // §2.11; saxes and fast-xml-parser would do so too, each more slowly.
  const lines = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const opened = passGate(lines).values();
  const nodes = reader.parse(plain(lines)) as Node[];
  const { children } = content(nodes, opened);
  const [root] = children;
  if (root === undefined || opened.next().done !== true)
    throw new Error('the two readers saw different elements');
  return root;
}
