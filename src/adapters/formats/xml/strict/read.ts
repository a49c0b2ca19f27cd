/**
 * Reads text into a tree of elements, and the tree into a value of the schema's shape.
 *
 * For the tree saxes checks the text (`well-formedness.ts`), `separate-texts.ts` takes the texts out, and fast-xml-parser reads the elements. They
 * become members, and unknown or repeated ones violations. Items of lists come with a tree of their own (`list/`).
 */
import { XMLParser } from 'fast-xml-parser';
import type { TSchema } from 'typebox';
import type { Violation } from '../../../../domain/validation/errors.ts';
import { escapePointer } from '../../../../domain/validation/schema-validator.ts';
import { suggestMember } from '../../../../domain/validation/suggest.ts';
import { maxReported, type Naming, type Parsed } from '../../port/format.ts';
import { type Shape, shapeOf } from '../../port/schema-shapes.ts';
import { normalizeLineEnds } from '../text/decode.ts';
import { isBlank, readScalar } from '../text/scalar.ts';
import { separateTexts } from './separate-texts.ts';
import { checkWellFormed, type ElementStart } from './well-formedness.ts';

export interface Element extends ElementStart {
  readonly children: readonly Element[];
  /** All text directly inside, joined: comments and CDATA sections don't split a value. */
  readonly text: string;
}

/** A text or an element. With `preserveOrder` each node is an object with a single key. */
type Node = Readonly<Record<string, unknown>>;

const textKey = '#text';

/** Interprets nothing: names, attributes and namespaces come from saxes, and texts are replaced by their indexes. */
const reader = new XMLParser({
  preserveOrder: true,
  trimValues: false,
  parseTagValue: false,
  // Unused here, and building paths takes time.
  jPath: false,
  ignoreAttributes: true,
  processEntities: false,
  textNodeName: textKey,
});

function readContent(nodes: readonly Node[], opened: Iterator<ElementStart>, texts: readonly string[]) {
  const children: Element[] = [];
  let text = '';
  for (const node of nodes)
    if (textKey in node) text += texts[Number(node[textKey])];
    else children.push(readElement(node, opened, texts));
  return { children, text };
}

function readElement(node: Node, opened: Iterator<ElementStart>, texts: readonly string[]): Element {
  const [inside] = Object.values(node);
  const next = opened.next();
  if (next.done === true) throw new Error('the two readers saw different elements');
  return { ...next.value, ...readContent(inside as Node[], opened, texts) };
}

/** The root element, read in steps. @throws UnreadableError as `checkWellFormed` does */
export function* readTree(text: string, limit?: number): Generator<void, Element, void> {
  const lines = yield* normalizeLineEnds(text);
  const opened = (yield* checkWellFormed(lines, limit)).values();
  const { skeleton, texts } = yield* separateTexts(lines);
  const nodes = reader.parse(skeleton) as Node[];
  yield;
  const { children } = readContent(nodes, opened, texts);
  const [root] = children;
  if (root === undefined || opened.next().done !== true)
    throw new Error('the two readers saw different elements');
  return root;
}

/** @param detail called unless there are enough already: suggestions take time */
type Report = (pointer: string, detail: string | (() => string)) => void;

const repeated = 'occurs more than once';

/** An element that belongs inside one of this shape. */
function nameInside(shape: Exclude<Shape, { is: 'value' }>): string | undefined {
  if (shape.is === 'object') return shape.members.keys().next().value;
  return shape.is === 'list' ? shape.item : shape.entry;
}

function describeUnknown(name: string, members: ReadonlyMap<string, TSchema>): string {
  for (const [member, schema] of members) {
    const shape = shapeOf(schema);
    if (shape.is === 'list' && shape.item === name) return `must stand inside <${member}>`;
  }
  return `is not known here${suggestMember(name, members)}`;
}

class DocumentReader {
  readonly #namespace: string;
  readonly #report: Report;

  constructor(namespace: string, report: Report) {
    this.#namespace = namespace;
    this.#report = report;
  }

  read(schema: TSchema, element: Element, pointer: string, allowsKey = false): unknown {
    const shape = shapeOf(schema);
    const unknown = element.unknownAttribute ?? (element.key === undefined || allowsKey ? undefined : 'name');
    if (unknown !== undefined) {
      const hint = shape.is === 'object' && shape.members.has(unknown) ? `: write <${unknown}> inside` : '';
      this.#report(pointer, `has an attribute that is not known here, ${escapePointer(unknown)}${hint}`);
    }
    if (element.nil) {
      if (element.children.length > 0 || !isBlank(element.text))
        this.#report(pointer, 'must be empty, since xsi:nil says that it has no value');
      return null;
    }
    if (shape.is === 'value') {
      if (element.children.length > 0) this.#report(pointer, 'must be text, without elements inside');
      return readScalar(schema, element.text);
    }
    if (!isBlank(element.text))
      this.#report(pointer, `must have elements inside, such as <${nameInside(shape)}>, not text`);
    if (shape.is === 'list') return this.#readList(shape.item, shape.of, element, pointer);
    if (shape.is === 'map') return this.#readMap(shape.entry, shape.of, element, pointer);
    return this.#readObject(shape.members, element, pointer);
  }

  #isNamed(element: Element, name: string): boolean {
    return element.name === name && element.namespace === this.#namespace;
  }

  /** Some libraries leave the children of an element without its namespace. */
  get #misplaced(): string {
    const namespace = this.#namespace === '' ? 'no namespace' : `the namespace ${this.#namespace}`;
    return `must be in ${namespace}, like its parent`;
  }

  #readList(item: string, of: TSchema, element: Element, pointer: string): unknown[] {
    return element.children.flatMap((child, index) => {
      const at = `${pointer}/${index}`;
      if (this.#isNamed(child, item)) return [this.read(of, child, at)];
      this.#report(at, child.name === item ? this.#misplaced : `must be <${item}>`);
      return [];
    });
  }

  #readMap(entry: string, of: TSchema, element: Element, pointer: string): unknown {
    const entries = new Map<string, unknown>();
    for (const child of element.children) {
      const { key } = child;
      if (!this.#isNamed(child, entry) || key === undefined) {
        this.#report(pointer, `must have <${entry} name="…"> inside, and nothing else`);
        continue;
      }
      const at = `${pointer}/${escapePointer(key)}`;
      if (entries.has(key)) this.#report(at, repeated);
      else entries.set(key, this.read(of, child, at, true));
    }
    return Object.fromEntries(entries);
  }

  #readObject(members: ReadonlyMap<string, TSchema>, element: Element, pointer: string): unknown {
    const read = new Map<string, unknown>();
    for (const child of element.children) {
      const at = `${pointer}/${escapePointer(child.name)}`;
      const schema = members.get(child.name);
      if (child.namespace !== this.#namespace) this.#report(at, this.#misplaced);
      else if (schema === undefined) this.#report(at, () => describeUnknown(child.name, members));
      else if (read.has(child.name)) this.#report(at, repeated);
      else read.set(child.name, this.#readMember(schema, child, at));
    }
    return Object.fromEntries(read);
  }

  /** Clients may send back read-only members unchanged, so errors in them are ignored. */
  #readMember(schema: TSchema, child: Element, at: string): unknown {
    const readOnly = 'readOnly' in schema && schema.readOnly === true;
    return (readOnly ? new DocumentReader(this.#namespace, () => undefined) : this).read(schema, child, at);
  }
}

/** A document without a namespace is read as if it had the schema's; a mix of both isn't. */
export function readDocument(schema: TSchema, { one, namespace }: Naming, root: Element): Parsed {
  const violations: Violation[] = [];
  const report: Report = (pointer, detail) => {
    if (violations.length === maxReported) return;
    violations.push({ pointer, detail: typeof detail === 'string' ? detail : detail() });
  };
  if (root.name !== one || (root.namespace !== namespace && root.namespace !== '')) {
    report('', `must be <${one}>, in the namespace ${namespace} or in none`);
    return { value: undefined, violations };
  }
  return { value: new DocumentReader(root.namespace, report).read(schema, root, ''), violations };
}
