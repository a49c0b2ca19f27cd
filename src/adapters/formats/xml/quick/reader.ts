/**
 * Reads XML in the form that nearly all clients send into elements, many times faster than `strict/`: elements of one namespace, by default or
 * by a prefix, with text, white space and references (`text.ts` scans them). It reports no errors: at any other XML, and at every mistake in
 * it, `notQuick` is thrown, and `strict/` reads the same text from the start.
 */
import { maxDepth, type Naming } from '../../port/format.ts';
import type { Element } from '../elements/document.ts';
import { xsi } from '../strict/strict-parser.ts';
import { mayBeQuick, notQuick, QuickText } from './text.ts';

export interface QuickContext {
  readonly namespace: string;
  /** Of all elements, with its colon; empty if they have none. */
  readonly prefix: string;
  /** The prefix of the XML Schema instance namespace, with its colon. */
  readonly xsi: string | undefined;
}

/** @returns the result of `read`, or undefined when it throws notQuick */
export function attemptQuickly<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error === notQuick) return undefined;
    throw error;
  }
}

/** Its methods throw notQuick. */
export class QuickReader {
  readonly #text: QuickText;
  readonly #context: QuickContext;
  /** The number of open elements. */
  #depth = 0;

  constructor(text: QuickText, context: QuickContext) {
    [this.#text, this.#context] = [text, context];
  }

  /** Reads an element that begins here. */
  readElement(): Element {
    const name = this.#text.readName(this.#context.prefix);
    if (name === undefined) throw notQuick;
    return this.#readRest(name);
  }

  /** Reads the rest of an element after its attributes. */
  readContent(name: string, nil = false, key?: string): Element {
    const { namespace, prefix } = this.#context;
    const reader = this.#text;
    const children: Element[] = [];
    let text = '';
    if (!reader.endStartTag()) {
      text = reader.readText();
      for (let child = reader.readName(prefix); child !== undefined; child = reader.readName(prefix)) {
        children.push(this.#readRest(child));
        text += reader.readText();
      }
      reader.readEndTag(prefix + name);
    }
    return { namespace, name, nil, key, unknownAttribute: undefined, children, text };
  }

  /** Reads the rest of an element after its name. */
  #readRest(name: string): Element {
    const { xsi } = this.#context;
    let nil = false;
    let key: string | undefined;
    for (const [attribute, value] of this.#text.readAttributes())
      if (attribute === 'name') key = value;
      else if (xsi === undefined || !attribute.startsWith(xsi)) throw notQuick;
      else if (attribute === `${xsi}nil`) nil = readNil(value);
    this.#depth += 1;
    // The root is read by readContent.
    if (this.#depth >= maxDepth) throw notQuick;
    const element = this.readContent(name, nil, key);
    this.#depth -= 1;
    return element;
  }
}

function readNil(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw notQuick;
  return value === 'true';
}

/** The maximum length, in UTF-16 code units. A user with all members is shorter; longer documents are read in steps. */
export const maxQuickLength = 32 * 1024;

const declaration =
  /^<\?xml version=(?:"1\.0"|'1\.0')(?: encoding=(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?(?: standalone=(?:"(?:yes|no)"|'(?:yes|no)'))? ?\?>/;

/** The XML Schema namespace: .NET declares it on every root, but uses it in types only. */
const xsd = 'http://www.w3.org/2001/XMLSchema';

/** Excludes prefixes that begin with `xml`, which XML reserves. */
const binding = /^xmlns:(?![Xx][Mm][Ll])([\w.-]+)$/;

const isSchemaLocation = (name: string, instances: string | undefined): boolean =>
  instances !== undefined &&
  (name === `${instances}schemaLocation` || name === `${instances}noNamespaceSchemaLocation`);

/** Accepts a root with no attributes other than the namespaces that clients use and the schema's location. */
function readContext(text: QuickText, prefix: string, namespace: string): QuickContext {
  const attributes = text.readAttributes();
  const bindings = new Map<string, string>();
  const others: string[] = [];
  let instances: string | undefined;
  for (const [name, value] of attributes) {
    const bound = name === 'xmlns' ? '' : binding.exec(name)?.[1]?.concat(':');
    if (bound === undefined) others.push(name);
    else if (value === namespace || (bound !== '' && (value === xsi || value === xsd))) {
      bindings.set(bound, value);
      // If two prefixes are bound to it, uses of the first are left to the strict reader.
      if (value === xsi) instances = bound;
    } else throw notQuick;
  }
  const isOurs = bindings.get(prefix) === namespace || (prefix === '' && !bindings.has(''));
  if (!isOurs || !others.every((name) => isSchemaLocation(name, instances))) throw notQuick;
  return { namespace, prefix, xsi: instances };
}

/** Reads the root element of a document in this form. @returns undefined for any other document */
export function readQuickRoot({ one, namespace }: Naming, document: string): Element | undefined {
  if (document.length > maxQuickLength || !mayBeQuick(document)) return undefined;
  return attemptQuickly(() => {
    const text = new QuickText(document);
    text.begin(declaration.exec(document)?.[0].length ?? 0);
    text.skipSpace();
    const prefix = text.peekPrefix();
    if (text.readName(prefix) !== one) throw notQuick;
    const root = new QuickReader(text, readContext(text, prefix, namespace)).readContent(one);
    text.skipSpace();
    text.assertEnd();
    return root;
  });
}
