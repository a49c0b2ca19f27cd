/**
 * Reads documents in the form that nearly all clients send, many times faster than `strict/`: the schema's elements directly into values, each
 * member once, with text, white space and references (`text.ts` scans them). It reports no errors: at any other XML and at every error it throws
 * `notQuick`, and `strict/` reads the same text from the start.
 */
import type { TSchema } from 'typebox';
import type { Naming } from '../../port/format.ts';
import { shapeOf } from '../../port/schema-shapes.ts';
import { xsi } from '../strict/strict-parser.ts';
import { readScalar } from '../text/scalar.ts';
import { mayBeQuick, notQuick, QuickText } from './text.ts';

/** Assigning to this property would set the object's prototype. */
const prototypeName = '__proto__';

export interface QuickContext {
  /** The prefix of the schema's elements, with its colon; empty if they have none. */
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
  readonly #prefix: string;
  readonly #xsi: string | undefined;
  /** `xsi:nil` of the last start tag read. */
  #isNil = false;

  constructor(text: QuickText, { prefix, xsi }: QuickContext) {
    [this.#text, this.#prefix, this.#xsi] = [text, prefix, xsi];
  }

  /** Reads an element that begins here. */
  readElement(schema: TSchema, name: string): unknown {
    if (this.#readName() !== name) throw notQuick;
    return this.#readRest(schema, name);
  }

  /** Reads the rest of an element after its attributes. */
  readContent(schema: TSchema, name: string, isNil = false): unknown {
    const isEmpty = this.#text.endStartTag();
    const value = isNil ? null : this.#readValue(schema, isEmpty);
    if (!isEmpty) this.#text.readEndTag(this.#prefix + name);
    return value;
  }

  /** Reads the rest of an element after its name. */
  #readRest(schema: TSchema, name: string): unknown {
    if (this.#readAttributes() !== undefined) throw notQuick;
    return this.readContent(schema, name, this.#isNil);
  }

  /** The local name of the next child; undefined after the last. */
  #readName(): string | undefined {
    const name = this.#text.readName();
    if (name === undefined || this.#prefix === '') return name;
    if (!name.startsWith(this.#prefix)) throw notQuick;
    return name.slice(this.#prefix.length);
  }

  #readChildName(isEmpty: boolean): string | undefined {
    if (isEmpty) return undefined;
    this.#text.skipSpace();
    return this.#readName();
  }

  /** @returns the value of the attribute `name` */
  #readAttributes(): string | undefined {
    this.#isNil = false;
    let key: string | undefined;
    for (const [name, value] of this.#text.readAttributes())
      if (name === 'name') key = value;
      else if (this.#xsi === undefined || !name.startsWith(this.#xsi)) throw notQuick;
      else if (name === `${this.#xsi}nil`) this.#isNil = readNil(value);
    return key;
  }

  #readValue(schema: TSchema, isEmpty: boolean): unknown {
    const shape = shapeOf(schema);
    if (shape.is === 'value') return readScalar(schema, isEmpty ? '' : this.#text.readText());
    if (shape.is === 'object') return this.#readObject(shape.members, isEmpty);
    if (shape.is === 'list') return this.#readList(shape.item, shape.of, isEmpty);
    return this.#readMap(shape.entry, shape.of, isEmpty);
  }

  #readObject(members: ReadonlyMap<string, TSchema>, isEmpty: boolean): unknown {
    const value: Record<string, unknown> = {};
    for (let name = this.#readChildName(isEmpty); name !== undefined; name = this.#readChildName(false)) {
      const schema = members.get(name);
      if (schema === undefined || name === prototypeName || Object.hasOwn(value, name)) throw notQuick;
      value[name] = this.#readRest(schema, name);
    }
    return value;
  }

  #readList(item: string, of: TSchema, isEmpty: boolean): unknown {
    const items: unknown[] = [];
    for (let name = this.#readChildName(isEmpty); name !== undefined; name = this.#readChildName(false)) {
      if (name !== item) throw notQuick;
      items.push(this.#readRest(of, name));
    }
    return items;
  }

  #readMap(entry: string, of: TSchema, isEmpty: boolean): unknown {
    const value: Record<string, unknown> = {};
    for (let name = this.#readChildName(isEmpty); name !== undefined; name = this.#readChildName(false)) {
      const key = this.#readAttributes();
      if (name !== entry || key === undefined || key === prototypeName) throw notQuick;
      if (Object.hasOwn(value, key)) throw notQuick;
      value[key] = this.readContent(of, name, this.#isNil);
    }
    return value;
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
  return { prefix, xsi: instances };
}

/**
 * Reads a document in this form, if it is well-formed, within the limits and without unknown or duplicate members.
 * @returns undefined for any other document
 */
export function readQuickDocument(schema: TSchema, { one, namespace }: Naming, document: string): unknown {
  if (document.length > maxQuickLength || !mayBeQuick(document)) return undefined;
  return attemptQuickly(() => {
    const text = new QuickText(document);
    text.begin(declaration.exec(document)?.[0].length ?? 0);
    text.skipSpace();
    const name = text.readName() ?? '';
    if (!name.endsWith(one)) throw notQuick;
    const prefix = name.slice(0, -one.length);
    if (prefix !== '' && !prefix.endsWith(':')) throw notQuick;
    const reader = new QuickReader(text, readContext(text, prefix, namespace));
    const value = reader.readContent(schema, one);
    text.skipSpace();
    text.assertEnd();
    return value;
  });
}
