/**
 * Reads plain elements straight into values, many times as quickly as the strict reader: the schema's own elements, each once,
 * with text, white space and references in them. It never says what is wrong: whatever else XML may have, and every mistake,
 * makes it give up, and whoever asked has the same read strictly, from its beginning.
 */
import { type PlainShape, prototypeName } from './xml-plain-shape.ts';
import { notPlain, type PlainText } from './xml-plain-text.ts';
import { readScalar } from './xml-scalar.ts';

/** What an element stands in. */
export interface PlainContext {
  /** Of the schema's elements, with its colon; empty where they have none. */
  readonly prefix: string;
  /** The one of XML Schema instances, with its colon. */
  readonly xsi: string | undefined;
}

/** @returns what `read` does, or undefined when it throws notPlain */
export function attemptPlain<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error === notPlain) return undefined;
    throw error;
  }
}

/** Its methods throw notPlain. */
export class PlainReader {
  readonly #text: PlainText;
  readonly #prefix: string;
  readonly #xsi: string | undefined;
  /** Of the start tag that was read last. */
  #isNil = false;

  constructor(text: PlainText, { prefix, xsi }: PlainContext) {
    [this.#text, this.#prefix, this.#xsi] = [text, prefix, xsi];
  }

  /** An element that begins here. */
  readElement(shape: PlainShape, name: string): unknown {
    if (this.#readName() !== name) throw notPlain;
    return this.#readRest(shape, name);
  }

  /** The rest of an element whose attributes have been read. */
  readContent(shape: PlainShape, name: string, isNil = false): unknown {
    const isEmpty = this.#text.endStartTag();
    const value = isNil ? null : this.#readValue(shape, isEmpty);
    if (!isEmpty) this.#text.readEndTag(this.#prefix + name);
    return value;
  }

  /** Behind the name. */
  #readRest(shape: PlainShape, name: string): unknown {
    if (this.#readAttributes() !== undefined) throw notPlain;
    return this.readContent(shape, name, this.#isNil);
  }

  /** The local name of a child; undefined behind the last. */
  #readName(): string | undefined {
    const name = this.#text.readName();
    if (name === undefined || this.#prefix === '') return name;
    if (!name.startsWith(this.#prefix)) throw notPlain;
    return name.slice(this.#prefix.length);
  }

  #readChildName(isEmpty: boolean): string | undefined {
    if (isEmpty) return undefined;
    this.#text.skipSpace();
    return this.#readName();
  }

  /** @returns the one that is called `name` */
  #readAttributes(): string | undefined {
    this.#isNil = false;
    let key: string | undefined;
    for (const [name, value] of this.#text.readAttributes()) {
      if (name === 'name') key = value;
      else if (this.#xsi === undefined || !name.startsWith(this.#xsi)) throw notPlain;
      else if (name === `${this.#xsi}nil`) this.#isNil = readNil(value);
    }
    return key;
  }

  #readValue(shape: PlainShape, isEmpty: boolean): unknown {
    if (shape.is === 'value') return readScalar(shape.schema, isEmpty ? '' : this.#text.readText());
    if (shape.is === 'object') return this.#readObject(shape.members, isEmpty);
    if (shape.is === 'list') return this.#readList(shape.item, shape.of, isEmpty);
    return this.#readMap(shape.entry, shape.of, isEmpty);
  }

  #readObject(members: ReadonlyMap<string, PlainShape>, isEmpty: boolean): unknown {
    const value: Record<string, unknown> = {};
    for (let name = this.#readChildName(isEmpty); name !== undefined; name = this.#readChildName(false)) {
      const shape = members.get(name);
      if (shape === undefined || Object.hasOwn(value, name)) throw notPlain;
      value[name] = this.#readRest(shape, name);
    }
    return value;
  }

  #readList(item: string, of: PlainShape, isEmpty: boolean): unknown {
    const items: unknown[] = [];
    for (let name = this.#readChildName(isEmpty); name !== undefined; name = this.#readChildName(false)) {
      if (name !== item) throw notPlain;
      items.push(this.#readRest(of, name));
    }
    return items;
  }

  #readMap(entry: string, of: PlainShape, isEmpty: boolean): unknown {
    const value: Record<string, unknown> = {};
    for (let name = this.#readChildName(isEmpty); name !== undefined; name = this.#readChildName(false)) {
      const key = this.#readAttributes();
      if (name !== entry || key === undefined || key === prototypeName) throw notPlain;
      if (Object.hasOwn(value, key)) throw notPlain;
      value[key] = this.readContent(of, name, this.#isNil);
    }
    return value;
  }
}

function readNil(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw notPlain;
  return value === 'true';
}
