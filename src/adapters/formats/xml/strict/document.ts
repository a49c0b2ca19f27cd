/** Reads a tree of elements into a value of the schema's shape. Unknown or repeated members become violations. `tree.ts` and `../list/` make the tree. */
import type { TSchema } from 'typebox';
import type { Violation } from '../../../../domain/validation/errors.ts';
import { escapePointer } from '../../../../domain/validation/schema-validator.ts';
import { suggestMember } from '../../../../domain/validation/suggest.ts';
import { maxReported, type Naming, type Parsed } from '../../port/format.ts';
import { type Shape, shapeOf } from '../../port/schema-shapes.ts';
import { isBlank, readScalar } from '../text/scalar.ts';

/** What a start tag says. */
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

export interface Element extends ElementStart {
  readonly children: readonly Element[];
  /** All text directly inside, joined: comments and CDATA sections don't split a value. */
  readonly text: string;
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
