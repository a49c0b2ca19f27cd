/** From a tree of elements to the value that a schema describes. */
import type { TSchema } from 'typebox';
import type { Violation } from '../../domain/errors.ts';
import { escapePointer } from '../../domain/validation.ts';
import { maxReported, type Naming, type Parsed } from './format.ts';
import { kindOf } from './xml-shape.ts';
import type { Element } from './xml-tree.ts';

type Report = (pointer: string, detail: string) => void;

const unknownHere = 'is not known here';
const repeated = 'stands more than once';
const space = /^[ \t\n\r]*$/;
const isSpace = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x09 || unit === 0x0d;

/** Without XML's white space around. By hand: a pattern for the end tries anew at every space, which is quadratic. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** XML Schema's lexical forms (XSD 1.0 part 2 §3.2.2, §3.3.13); what has another form stays text, for the validator to name. */
function scalar(schema: TSchema, text: string): unknown {
  const type = 'type' in schema ? schema.type : undefined;
  if (type === 'boolean') {
    const word = trimmed(text);
    if (word === 'true' || word === '1') return true;
    return word === 'false' || word === '0' ? false : word;
  }
  if (type !== 'integer' && type !== 'number') return text;
  const word = trimmed(text);
  return /^[+-]?[0-9]+(?:\.[0-9]+)?$/.test(word) ? Number(word) : text;
}

class Reader {
  readonly #namespace: string;
  readonly #report: Report;

  constructor(namespace: string, report: Report) {
    this.#namespace = namespace;
    this.#report = report;
  }

  read(schema: TSchema, element: Element, pointer: string, allowsKey = false): unknown {
    if (element.strange || (element.key !== undefined && !allowsKey))
      this.#report(pointer, 'has an attribute that is not known here');
    if (element.nil) {
      if (element.children.length > 0 || !space.test(element.text))
        this.#report(pointer, 'must be empty where xsi:nil says that it has no value');
      return null;
    }
    const kind = kindOf(schema);
    if (kind.is === 'value') {
      if (element.children.length > 0) this.#report(pointer, 'must be text, without elements inside');
      return scalar(schema, element.text);
    }
    if (!space.test(element.text)) this.#report(pointer, 'must have elements inside, not text');
    if (kind.is === 'list') return this.#list(kind.item, kind.of, element, pointer);
    if (kind.is === 'map') return this.#map(kind.entry, kind.of, element, pointer);
    return this.#object(kind.members, element, pointer);
  }

  #named(element: Element, name: string): boolean {
    return element.name === name && element.namespace === this.#namespace;
  }

  #list(item: string, of: TSchema, element: Element, pointer: string): unknown[] {
    return element.children.flatMap((child, index) => {
      const at = `${pointer}/${index}`;
      if (this.#named(child, item)) return [this.read(of, child, at)];
      this.#report(at, `must be <${item}>`);
      return [];
    });
  }

  #map(entry: string, of: TSchema, element: Element, pointer: string): unknown {
    const entries = new Map<string, unknown>();
    for (const child of element.children) {
      const { key } = child;
      if (!this.#named(child, entry) || key === undefined) {
        this.#report(pointer, `must hold <${entry} name="…">`);
        continue;
      }
      const at = `${pointer}/${escapePointer(key)}`;
      if (entries.has(key)) this.#report(at, repeated);
      else entries.set(key, this.read(of, child, at, true));
    }
    return Object.fromEntries(entries);
  }

  #object(members: ReadonlyMap<string, TSchema>, element: Element, pointer: string): unknown {
    const read = new Map<string, unknown>();
    for (const child of element.children) {
      const at = `${pointer}/${escapePointer(child.name)}`;
      const schema = child.namespace === this.#namespace ? members.get(child.name) : undefined;
      if (schema === undefined) this.#report(at, unknownHere);
      else if (read.has(child.name)) this.#report(at, repeated);
      else read.set(child.name, this.#member(schema, child, at));
    }
    return Object.fromEntries(read);
  }

  /** What a client can't set it may send back in whatever state. */
  #member(schema: TSchema, child: Element, at: string): unknown {
    const readOnly = 'readOnly' in schema && schema.readOnly === true;
    return (readOnly ? new Reader(this.#namespace, () => undefined) : this).read(schema, child, at);
  }
}

/** A document without a namespace is read as if it had ours; one that mixes both is not. */
export function readDocument(schema: TSchema, { one, namespace }: Naming, root: Element): Parsed {
  const violations: Violation[] = [];
  const report: Report = (pointer, detail) => {
    if (violations.length < maxReported) violations.push({ pointer, detail });
  };
  if (root.name !== one || (root.namespace !== namespace && root.namespace !== '')) {
    report('', `must be <${one}>, in the namespace ${namespace} or in none`);
    return { value: {}, violations };
  }
  return { value: new Reader(root.namespace, report).read(schema, root, ''), violations };
}
