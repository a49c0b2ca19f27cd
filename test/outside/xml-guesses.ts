/** Schemas for documents of others, so that our quick reader has something to read in them. */
import Type, { type TSchema } from 'typebox';
import type { Naming } from '../../src/adapters/formats/port/format.ts';
import { readQuickDocument } from '../../src/adapters/formats/xml/quick/reader.ts';

interface Guess {
  readonly schema: TSchema;
  readonly naming: Naming;
  /** Undefined where the document isn't read quickly. */
  readonly quick: unknown;
}

/** Elements with these names, nested in each other to this depth. */
function nest(names: readonly string[], levels: number): TSchema {
  if (levels === 0) return Type.String();
  const within = nest(names, levels - 1);
  return Type.Object(Object.fromEntries(names.map((name) => [name, within])));
}

/** As a schema may call an element, without their prefixes. */
const namesIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)/g)].map(([, name = '']) => name)),
];

/** Of elements in a schema, so that compiling it takes no time. */
const most = 1000;

/** Whether the root holds text, elements with text, elements with such elements, and so on. */
export function guess(text: string): Guess[] {
  const names = namesIn(text);
  const namespace = /xmlns(?::[^\s=]*)?\s*=\s*["']([^"']*)/.exec(text)?.[1] ?? 'urn:none';
  const naming: Naming = { one: names[0] ?? 'none', many: 'many', namespace };
  return [0, 1, 2, 3, 4]
    .filter((levels) => names.length ** levels < most)
    .map((levels) => {
      const schema = nest(names, levels);
      return { schema, naming, quick: readQuickDocument(schema, naming, text) };
    });
}
