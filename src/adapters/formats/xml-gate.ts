/**
 * The gate: saxes reads a document whole and strictly before fast-xml-parser gets to see it, since that one lets pass
 * much that isn't XML, keeps prefixes and expands a DOCTYPE. Only what passed here is read there, and the names that
 * elements and attributes have under their namespaces come from here, so that there is one understanding of them.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { maxDepth, maxNodes, UnreadableError } from './format.ts';

/** An element as it was opened, in document order. */
export interface Opened {
  readonly namespace: string;
  readonly name: string;
  /** `xsi:nil` says that it has no value. */
  readonly nil: boolean;
  /** The attribute `name`, which a map's entries have. */
  readonly key: string | undefined;
  /** Whether it has an attribute that is none of ours to ignore. */
  readonly strange: boolean;
}

export { maxNodes } from './format.ts';

/** In UTF-16 code units: what is read in one step, in a millisecond or two whatever it is. */
const stepLength = 4 * 1024;

const xsi = 'http://www.w3.org/2001/XMLSchema-instance';
const xmlns = 'http://www.w3.org/2000/xmlns/';

function opened({ uri, local, attributes }: SaxesTagNS): Opened {
  let nil = false;
  let key: string | undefined;
  let strange = false;
  for (const attribute of Object.values(attributes)) {
    if (attribute.uri === xmlns) continue;
    if (attribute.uri === xsi) {
      if (attribute.local === 'nil') nil = /^\s*(?:true|1)\s*$/.test(attribute.value);
    } else if (attribute.uri === '' && attribute.local === 'name') key = attribute.value;
    else strange = true;
  }
  return { namespace: uri, name: local, nil, key, strange };
}

/** Without the place, which is told apart, and without what follows a colon, which repeats what was sent. */
const wordsOf = (error: Error): string =>
  error.message
    .replace(/^\d+:\d+: /, '')
    .replace(/: .*/s, '')
    .replace(/\.$/, '');

/** Never returns. @throws UnreadableError with the place where reading stands */
type Refuse = (detail: string) => never;

/** What is not well-formed, and what is and isn't read here. */
function refuseOthers(parser: SaxesParser<{ xmlns: true; position: true }>, refuse: Refuse): void {
  parser.on('error', (error) => refuse(wordsOf(error)));
  parser.on('doctype', () => refuse('a DOCTYPE is not read here'));
  parser.on('xmldecl', ({ version }) => {
    if (version !== '1.0') refuse('only XML 1.0 is read here');
  });
}

/** @throws UnreadableError for what isn't well-formed XML 1.0 with namespaces, has a DOCTYPE or is too deep or too wide */
export function* passGate(text: string): Generator<void, Opened[], void> {
  const elements: Opened[] = [];
  const parser = new SaxesParser({ xmlns: true, position: true });
  const refuse: Refuse = (detail) => {
    throw new UnreadableError(detail, { line: parser.line, column: parser.column + 1 });
  };
  let depth = 0;
  let nodes = 0;
  const count = () => {
    nodes += 1;
    if (nodes > maxNodes) refuse(`it has more than ${maxNodes} elements, attributes and CDATA sections`);
  };
  refuseOthers(parser, refuse);
  parser.on('attribute', count);
  parser.on('cdata', count);
  parser.on('opentag', (tag) => {
    count();
    depth += 1;
    if (depth > maxDepth) refuse(`nesting is deeper than ${maxDepth}`);
    elements.push(opened(tag));
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  // One mark has gone with the decoding; a second is text before the root, which saxes would pass over.
  if (text.startsWith('\uFEFF')) refuse('text data outside of root node');
  for (let from = 0; from < text.length; from += stepLength) {
    if (from > 0) yield;
    parser.write(text.slice(from, from + stepLength));
  }
  parser.close();
  return elements;
}
