/** How the readers of documents and of lists use saxes: what they refuse, the position in the text, and what start tags say. */

import type { SaxesParser, SaxesTagNS } from 'saxes';
import type { Position } from '../../text/positions.ts';
import type { ElementStart } from './document.ts';

/** saxes with the options used here. */
export type StrictParser = SaxesParser<{ xmlns: true; position: true }>;

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
 * A question mark after the target of an instruction: not well-formed (XML 1.0 §2.6), but saxes takes it for the beginning of the body.
 * @param textBefore the text of this length, or all there is, up to the end of the instruction
 */
export function hasOddTarget(
  { target, body }: { target: string; body: string },
  textBefore: (length: number) => string,
): boolean {
  if (!body.startsWith('?')) return false;
  const odd = `<?${target}${body}?>`;
  // Line ends may have two characters in the text, and have one in the body.
  return textBefore(2 * odd.length)
    .replace(/\r\n?/g, '\n')
    .endsWith(odd);
}
