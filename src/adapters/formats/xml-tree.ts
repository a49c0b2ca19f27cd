/** From text to a tree of elements: the gate judges, the texts are taken out, and fast-xml-parser reads what is left. */
import { XMLParser } from 'fast-xml-parser';
import { wholeOf } from './format.ts';
import { type Opened, passGate } from './xml-gate.ts';
import { partTexts } from './xml-texts.ts';

export interface Element extends Opened {
  readonly children: readonly Element[];
  /** All text directly inside, joined: comments and CDATA marks don't split a value. */
  readonly text: string;
}

/** One of: text, an element. With `preserveOrder` each node is an object with a single key. */
type Node = Readonly<Record<string, unknown>>;

const textKey = '#text';

/** Told to interpret nothing: names, attributes and namespaces come from the gate, texts are indices by now. */
const reader = new XMLParser({
  preserveOrder: true,
  trimValues: false,
  parseTagValue: false,
  // Nothing here asks for paths, and building them takes time.
  jPath: false,
  ignoreAttributes: true,
  processEntities: false,
  textNodeName: textKey,
});

function content(nodes: readonly Node[], opened: Iterator<Opened>, texts: readonly string[]) {
  const children: Element[] = [];
  let text = '';
  for (const node of nodes) {
    if (textKey in node) text += texts[Number(node[textKey])];
    else children.push(element(node, opened, texts));
  }
  return { children, text };
}

function element(node: Node, opened: Iterator<Opened>, texts: readonly string[]): Element {
  const [inside] = Object.values(node);
  const next = opened.next();
  if (next.done === true) throw new Error('the two readers saw different elements');
  const { namespace, name, nil, key, strange } = next.value;
  const { children, text } = content(inside as Node[], opened, texts);
  return { namespace, name, nil, key, strange, children, text };
}

/** In UTF-16 code units: so much of the line ends is settled in one step. */
const stepLength = 16 * 1024;

/** XML 1.0 §2.11; saxes would do so too, more slowly. */
function* withOneLineEnd(text: string): Generator<void, string, void> {
  if (!text.includes('\r')) return text;
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    // The two characters of a line end stay together.
    const end = from + stepLength + (text[from + stepLength] === '\n' ? 1 : 0);
    parts.push(text.slice(from, end).replaceAll('\r\n', '\n').replaceAll('\r', '\n'));
    from = end;
    yield;
  }
  return parts.join('');
}

/** The root element, in steps. @throws UnreadableError as the gate does */
export function* readingTree(text: string): Generator<void, Element, void> {
  const lines = yield* withOneLineEnd(text);
  const opened = (yield* passGate(lines)).values();
  const { bones, texts } = yield* partTexts(lines);
  const nodes = reader.parse(bones) as Node[];
  yield;
  const { children } = content(nodes, opened, texts);
  const [root] = children;
  if (root === undefined || opened.next().done !== true)
    throw new Error('the two readers saw different elements');
  return root;
}

/** The root element. @throws UnreadableError as the gate does */
export const readTree = (text: string): Element => wholeOf(readingTree(text));
