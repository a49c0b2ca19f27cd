/**
 * Finds the columns that users need, in the schema's order: required members, and members that at least one user has. maxColumns bounds the
 * memory.
 */
import type { TObject, TSchema } from 'typebox';
import type { ColumnCollector } from '../port/file-format.ts';
import { entrySchemaOf, shapeOf } from '../port/schema-shapes.ts';
import { isCell, maxColumns, type PathStep, printPath } from './columns.ts';

/** A part of the schema: a column, or the parts inside that users have. */
class Part {
  readonly #schema: TSchema;
  readonly #isCell: boolean;
  readonly #inner = new Map<string, Part>();
  #isUsed = false;

  constructor(schema: TSchema) {
    [this.#schema, this.#isCell] = [schema, isCell(schema)];
  }

  /** @param onColumn called for a new column, before it is added */
  add(value: unknown, onColumn: () => void): void {
    if (this.#isCell) {
      if (!this.#isUsed) onColumn();
      this.#isUsed = true;
    } else
      for (const [key, inner] of this.#entriesOf(value))
        if (inner !== undefined) this.#find(String(key))?.add(inner, onColumn);
  }

  /** @throws TypeError for a damaged user, with anything else where the schema has a list */
  #entriesOf(value: unknown): Iterable<readonly [PathStep, unknown]> {
    const isList = shapeOf(this.#schema).is === 'list';
    return isList ? (value as readonly unknown[]).entries() : Object.entries(value as object);
  }

  /** Adds the columns of required members. */
  addRequired(onColumn: () => void): void {
    if (this.#isCell) this.add('', onColumn);
    const { required = [] } = this.#schema as { readonly required?: readonly string[] };
    for (const name of required) this.#find(name)?.addRequired(onColumn);
  }

  /** Keys of a map are sorted by code units, whatever the order of the users. */
  paths(before: readonly PathStep[] = []): readonly string[] {
    if (this.#isCell) return this.#isUsed ? [printPath(before)] : [];
    const shape = shapeOf(this.#schema);
    const keys = [...this.#inner.keys()];
    if (shape.is === 'list') keys.sort((one, other) => Number(one) - Number(other));
    else if (shape.is === 'map') keys.sort();
    const ordered = shape.is === 'object' ? [...shape.members.keys()] : keys;
    return ordered.flatMap((key) => this.#inner.get(key)?.paths([...before, key]) ?? []);
  }

  /** @returns undefined for a member that the schema doesn't have */
  #find(key: string): Part | undefined {
    const known = this.#inner.get(key);
    const shape = shapeOf(this.#schema);
    if (known !== undefined || shape.is === 'value') return known;
    const schema =
      shape.is === 'object'
        ? shape.members.get(key)
        : shape.is === 'map'
          ? entrySchemaOf(shape, key)
          : shape.of;
    const part = schema && new Part(schema);
    if (part !== undefined) this.#inner.set(key, part);
    return part;
  }
}

export function collectColumns<T>(schema: TObject): ColumnCollector<T> {
  const users = new Part(schema);
  let size = 0;
  const count = (): void => {
    size += 1;
    if (size > maxColumns)
      throw new Error(`these users need more than ${maxColumns} columns: choose some with --columns`);
  };
  users.addRequired(count);
  return {
    add: (user) => users.add(user, count),
    columns: () => users.paths(),
    get size() {
      return size;
    },
  };
}
