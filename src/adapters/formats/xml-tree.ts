/** From text to a tree of elements: fast-xml-parser's reading of what the gate let through, told to interpret nothing. */
import { XMLParser } from 'fast-xml-parser';
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

/**
 * What is nobody's value is taken out before: in a processing instruction it looks for quotes and attributes. Line
 * ends go first (§2.11), or else a comment that went might join two of them. `<?` and `<!--` stand nowhere else.
 */
const plain = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>/g, (found) =>
      found.startsWith('<![') ? found : '',
    );

const predefined: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', apos: "'", quot: '"' };

/** The five entities and the numeric references of XML (§4.1, §4.6); that there are no others, and that each is a character, the gate saw. */
const decoded = (raw: string): string =>
  raw.replace(
    /&(?:#x([0-9A-Fa-f]+)|#([0-9]+)|([a-z]+));/g,
    (_all, hex?: string, decimal?: string, name = '') => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      return decimal === undefined ? (predefined[name] ?? '') : String.fromCodePoint(Number(decimal));
    },
  );

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
  const opened = passGate(text).values();
  const nodes = reader.parse(plain(text)) as Node[];
  const { children } = content(nodes, opened);
  const [root] = children;
  if (root === undefined || opened.next().done !== true)
    throw new Error('the two readers saw different elements');
  return root;
}
