/** A printer compiled from a schema: what is known beforehand is written once, and each value is walked once. */
import type { TSchema } from 'typebox';
import { kindOf } from './xml-shape.ts';

/** Prints what stands inside an element. */
type Print = (value: never) => string;

/** A raw carriage return would be read back as a line feed (XML 1.0 §2.11), so it goes as a reference. */
const special = /[&<>\r]/;
const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#13;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
};
const refer = (character: string): string => references[character] ?? character;

const text = (value: unknown): string => {
  const plain = String(value);
  return special.test(plain) ? plain.replace(/[&<>\r]/g, refer) : plain;
};

/** In an attribute a reader turns tabs and line ends into spaces (§3.3.3). */
const attribute = (value: string): string => value.replace(/[&<>\r"\t\n]/g, refer);

function printerOf(schema: TSchema): Print {
  const kind = kindOf(schema);
  if (kind.is === 'value') return text;
  if (kind.is === 'list') {
    const print = printerOf(kind.of) as (value: unknown) => string;
    const { item } = kind;
    return (values: readonly unknown[]) =>
      values.map((value) => `<${item}>${print(value)}</${item}>`).join('');
  }
  if (kind.is === 'map') {
    const print = printerOf(kind.of) as (value: unknown) => string;
    const { entry } = kind;
    return (values: object) =>
      Object.entries(values)
        .map(([key, value]) => `<${entry} name="${attribute(key)}">${print(value)}</${entry}>`)
        .join('');
  }
  const members = [...kind.members].map(([name, member]) => ({
    name,
    open: `<${name}>`,
    print: printerOf(member) as (value: unknown) => string,
    close: `</${name}>`,
  }));
  return (value: Readonly<Record<string, unknown>>) => {
    let printed = '';
    for (const { name, open, print, close } of members) {
      const member = value[name];
      if (member !== undefined) printed += open + print(member) + close;
    }
    return printed;
  };
}

/** Prints a value of the schema as what stands between its root element's tags; members in the schema's order. */
export const printer = <T>(schema: TSchema): ((value: T) => string) =>
  printerOf(schema) as (value: T) => string;
