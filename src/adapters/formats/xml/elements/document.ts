/** Reads a tree of elements into a value of the schema's shape. Unknown or repeated members become violations. `quick/` and `strict/` make the tree. */
import type { TSchema } from 'typebox';
import type { Violation } from '../../../../domain/validation/errors.ts';
import { escapePointer } from '../../../../domain/validation/schema-validator.ts';
import { suggestMember } from '../../../../domain/validation/suggest.ts';
import { maxReported, type Naming, type Parsed } from '../../port/format.ts';
import { type Shape, shapeOf } from '../../port/schema-shapes.ts';
import { isBlank, readScalar } from './scalar.ts';

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
  readonly violations: Violation[] = [];
  readonly #namespace: string;
  /** To the element that is read. */
  readonly #path: (string | number)[] = [];
  /** Inside a read-only member. Clients may send these back unchanged, so errors in them are ignored. */
  #isIgnored = false;

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  read(schema: TSchema, element: Element, allowsKey = false): unknown {
    const shape = shapeOf(schema);
    const unknown = element.unknownAttribute ?? (element.key === undefined || allowsKey ? undefined : 'name');
    if (unknown !== undefined) {
      const hint = shape.is === 'object' && shape.members.has(unknown) ? `: write <${unknown}> inside` : '';
      this.#report(`has an attribute that is not known here, ${escapePointer(unknown)}${hint}`);
    }
    if (element.nil) {
      if (element.children.length > 0 || !isBlank(element.text))
        this.#report('must be empty, since xsi:nil says that it has no value');
      return null;
    }
    if (shape.is === 'value') {
      if (element.children.length > 0) this.#report('must be text, without elements inside');
      return readScalar(schema, element.text);
    }
    if (!isBlank(element.text))
      this.#report(`must have elements inside, such as <${nameInside(shape)}>, not text`);
    if (shape.is === 'list') return this.#readList(shape.item, shape.of, element);
    if (shape.is === 'map') return this.#readMap(shape.entry, shape.of, element);
    return this.#readObject(shape.members, element);
  }

  /** @param detail called unless there are enough already: suggestions take time */
  #report(detail: string | (() => string)): void {
    if (this.#isIgnored || this.violations.length === maxReported) return;
    const pointer = this.#path.map((step) => `/${escapePointer(String(step))}`).join('');
    this.violations.push({ pointer, detail: typeof detail === 'string' ? detail : detail() });
  }

  #isNamed(element: Element, name: string): boolean {
    return element.name === name && element.namespace === this.#namespace;
  }

  /** Some libraries leave the children of an element without its namespace. */
  get #misplaced(): string {
    const namespace = this.#namespace === '' ? 'no namespace' : `the namespace ${this.#namespace}`;
    return `must be in ${namespace}, like its parent`;
  }

  #readList(item: string, of: TSchema, element: Element): unknown[] {
    const items: unknown[] = [];
    for (const [index, child] of element.children.entries()) {
      this.#path.push(index);
      if (this.#isNamed(child, item)) items.push(this.read(of, child));
      else this.#report(child.name === item ? this.#misplaced : `must be <${item}>`);
      this.#path.pop();
    }
    return items;
  }

  #readMap(entry: string, of: TSchema, element: Element): unknown {
    const entries = new Map<string, unknown>();
    for (const child of element.children) {
      const { key } = child;
      if (!this.#isNamed(child, entry) || key === undefined) {
        this.#report(`must have <${entry} name="…"> inside, and nothing else`);
        continue;
      }
      this.#path.push(key);
      if (entries.has(key)) this.#report(repeated);
      else entries.set(key, this.read(of, child, true));
      this.#path.pop();
    }
    return Object.fromEntries(entries);
  }

  /** No schema has a member `__proto__`, which would set the prototype of `value`. */
  #readObject(members: ReadonlyMap<string, TSchema>, element: Element): unknown {
    const value: Record<string, unknown> = {};
    for (const child of element.children) {
      const { name } = child;
      const schema = members.get(name);
      this.#path.push(name);
      if (child.namespace !== this.#namespace) this.#report(this.#misplaced);
      else if (schema === undefined) this.#report(() => describeUnknown(name, members));
      else if (Object.hasOwn(value, name)) this.#report(repeated);
      else value[name] = this.#readMember(schema, child);
      this.#path.pop();
    }
    return value;
  }

  #readMember(schema: TSchema, child: Element): unknown {
    const wasIgnored = this.#isIgnored;
    this.#isIgnored ||= 'readOnly' in schema && schema.readOnly === true;
    const value = this.read(schema, child);
    this.#isIgnored = wasIgnored;
    return value;
  }
}

/** A document without a namespace is read as if it had the schema's; a mix of both isn't. */
export function readDocument(schema: TSchema, { one, namespace }: Naming, root: Element): Parsed {
  if (root.name !== one || (root.namespace !== namespace && root.namespace !== '')) {
    const detail = `must be <${one}>, in the namespace ${namespace} or in none`;
    return { value: undefined, violations: [{ pointer: '', detail }] };
  }
  const reader = new DocumentReader(root.namespace);
  const value = reader.read(schema, root);
  return { value, violations: reader.violations };
}
