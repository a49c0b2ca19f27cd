/**
 * Checks documents before fast-xml-parser, which accepts much that isn't XML, keeps prefixes and expands a DOCTYPE: saxes reads each
 * document strictly first. The names and namespaces of elements and attributes come from saxes, so the two parsers can't interpret them
 * differently.
 */

import { SaxesParser, type SaxesTagNS } from 'saxes';
import { maxDepth, maxNodes } from '../../port/format.ts';
import { type Position, positionAt, UnreadableError } from '../../text/positions.ts';

/** saxes with the options used here. */
export type StrictParser = SaxesParser<{ xmlns: true; position: true }>;

export interface ElementStart {
  readonly namespace: string;
  readonly name: string;
  /** Its `xsi:nil` is true: it has no value. */
  readonly nil: boolean;
  /** The attribute `name` of a map's entry. */
  readonly key: string | undefined;
  /** Not a namespace declaration, and not of the XML Schema instance namespace. */
  readonly unknownAttribute: string | undefined;
}

/** UTF-16 code units that are read in one step: a millisecond or two for any content. */
const stepLength = 4 * 1024;

/** The XML Schema instance namespace. */
export const xsi = 'http://www.w3.org/2001/XMLSchema-instance';
const xmlns = 'http://www.w3.org/2000/xmlns/';

export function toElementStart({ uri, local, attributes }: SaxesTagNS): ElementStart {
  let nil = false;
  let key: string | undefined;
  let unknownAttribute: string | undefined;
  for (const attribute of Object.values(attributes)) {
    if (attribute.uri === xmlns) continue;
    if (attribute.uri === xsi) {
      if (attribute.local === 'nil') nil = /^\s*(?:true|1)\s*$/.test(attribute.value);
    } else if (attribute.uri === '' && attribute.local === 'name') key = attribute.value;
    else unknownAttribute ??= attribute.local;
  }
  return { namespace: uri, name: local, nil, key, unknownAttribute };
}

/** The message without the position, which is reported separately, and without the part after a colon, which repeats input. */
const messageOf = (error: Error): string =>
  error.message
    .replace(/^\d+:\d+: /, '')
    .replace(/: .*/s, '')
    .replace(/\.$/, '');

const bareAmpersand = /&(?![\w#:.-]+;)/;

/** @throws UnreadableError with the parser's position */
export type Refuse = (detail: string) => never;

/** @param written the length of the text given to the parser: at the end its own position is beyond that */
export function positionOf(parser: StrictParser, written: number): Position {
  const lineStart = parser.position - parser.columnIndex;
  return { line: parser.line, column: Math.min(parser.position, written) - lineStart + 1 };
}

/** Refuses syntax errors, DOCTYPEs and versions other than 1.0. */
export function refuseUnsupported(parser: StrictParser, refuse: Refuse): void {
  parser.on('error', (error) => refuse(messageOf(error)));
  parser.on('doctype', () => refuse('a DOCTYPE is not read here'));
  parser.on('xmldecl', ({ version }) => {
    if (version !== '1.0') refuse('only XML 1.0 is read here');
  });
}

/**
 * Returns the start tags in document order.
 * @throws UnreadableError for anything but well-formed XML 1.0 with namespaces, for a DOCTYPE, and beyond maxDepth or `limit` elements and attributes
 */
export function* checkWellFormed(text: string, limit = maxNodes): Generator<void, ElementStart[], void> {
  const elements: ElementStart[] = [];
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
  parser.on('attribute', count);
  parser.on('cdata', count);
  parser.on('opentag', (tag) => {
    count();
    depth += 1;
    if (depth > maxDepth) refuse(`nesting is deeper than ${maxDepth}`);
    elements.push(toElementStart(tag));
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  // Decoding has removed one byte order mark. A second is text before the root, which saxes would overlook.
  if (text.startsWith('\uFEFF')) refuse('text data outside of root node');
  // saxes takes any code unit after a high surrogate for the low one, even `<`, and would see different markup.
  if (!text.isWellFormed())
    throw new UnreadableError('disallowed character', positionAt(text, text.search(/\p{Cs}/u)));
  for (let from = 0; from < text.length; from += stepLength) {
    if (from > 0) yield;
    const step = text.slice(from, from + stepLength);
    written += step.length;
    parser.write(step);
  }
  parser.close();
  return elements;
}
