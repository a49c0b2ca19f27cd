/** XML Schema 1.0, from the schema that validates: what the XML format prints, and what a client does best to send. */
import type { TObject, TSchema } from 'typebox';
import type { Naming } from '../formats/format.ts';
import { type Kind, kindOf } from '../formats/xml-shape.ts';
import { plain, requiredOf, typeName } from './names.ts';
import { keyPattern } from './response-schema.ts';
import { xsdPattern } from './xsd-pattern.ts';

export interface XsdParts {
  readonly schema: TObject;
  readonly naming: Naming;
  /** What has to be there in everything that is sent and shown. */
  readonly required: readonly string[];
  /** Whether there is a document for a list of them. */
  readonly list: boolean;
  /** For whoever opens the file: one paragraph each. */
  readonly about: readonly string[];
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

const reference = (character: string): string => `&#${character.codePointAt(0)};`;
const text = (plainText: string): string => plainText.replace(/[&<>]/g, reference);

/** Beyond ASCII too, since spaces of all kinds stand in patterns and no editor shows them. */
const attribute = (value: string): string => value.replace(/[&<>"]|[^\x20-\x7e]/gu, reference);

function tag(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const pairs = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${attribute(String(value))}"`],
  );
  const open = `<xs:${name}${pairs.join('')}`;
  const inside = children.filter((child) => child !== '').join('\n');
  if (inside === '') return `${open}/>`;
  return `${open}>\n${inside.replace(/^/gm, '  ')}\n</xs:${name}>`;
}

const paragraph = (words: string): string => `<xs:documentation>${text(words)}</xs:documentation>`;
const documentation = (words: unknown): string =>
  typeof words === 'string' ? tag('annotation', {}, paragraph(words)) : '';

/** How JSON Schema's types and formats are called in XML Schema, and its limits. */
const bases: Readonly<Record<string, string>> = {
  boolean: 'xs:boolean',
  integer: 'xs:integer',
  number: 'xs:decimal',
  'date-time': 'xs:dateTime',
  'uri-reference': 'xs:anyURI',
};
const facets: Readonly<Record<string, string>> = {
  minLength: 'minLength',
  maxLength: 'maxLength',
  minimum: 'minInclusive',
  maximum: 'maxInclusive',
};

const baseOf = (schema: TSchema): string => {
  const { type, format } = plain(schema);
  return bases[String(format)] ?? bases[String(type)] ?? 'xs:string';
};

function facetsOf(schema: TSchema): string[] {
  const { pattern, enum: values, ...limits } = plain(schema);
  return [
    ...Object.entries(facets).flatMap(([keyword, facet]) => {
      const value = limits[keyword];
      return value === undefined ? [] : [tag(facet, { value: String(value) })];
    }),
    ...(typeof pattern === 'string' ? [tag('pattern', { value: xsdPattern(pattern) })] : []),
    ...((values as readonly unknown[] | undefined) ?? []).map((value) =>
      tag('enumeration', { value: String(value) }),
    ),
  ];
}

const restriction = (schema: TSchema): string =>
  tag('restriction', { base: baseOf(schema) }, ...facetsOf(schema));

class Types {
  readonly #named = new Map<string, string>();

  #name(name: string, type: string): string {
    const known = this.#named.get(name);
    if (known !== undefined && known !== type) throw new Error(`two types would be called ${name}`);
    this.#named.set(name, type);
    return `tns:${name}`;
  }

  /** An element of what `schema` describes. */
  element(name: string, schema: TSchema, occurs: Attributes): string {
    const { description } = plain(schema);
    const kind = kindOf(schema);
    if (kind.is === 'value') {
      const simple = facetsOf(schema).length > 0 ? tag('simpleType', {}, restriction(schema)) : undefined;
      const type = simple === undefined ? baseOf(schema) : undefined;
      return tag('element', { name, type, ...occurs }, documentation(description), simple ?? '');
    }
    const type = this.#complex(typeName(schema, name), schema, kind);
    return tag('element', { name, type, ...occurs }, documentation(description), unique(name, schema, kind));
  }

  #complex(name: string, schema: TSchema, kind: Exclude<Kind, { is: 'value' }>): string {
    if (kind.is === 'object')
      return this.#name(name, tag('complexType', { name }, this.members(schema, requiredOf(schema))));
    const { maxItems, maxProperties } = plain(schema);
    const occurs = { maxOccurs: String(maxItems ?? maxProperties ?? 'unbounded') };
    const item =
      kind.is === 'list'
        ? this.element(kind.item, kind.of, occurs)
        : tag('element', {
            name: kind.entry,
            type: this.#entry(kind.entry, kind.of, keyPattern(schema)),
            ...occurs,
          });
    return this.#name(name, tag('complexType', { name }, tag('sequence', {}, item)));
  }

  /** One pair of a map: its key in the attribute `name`, its value as the text. */
  #entry(entry: string, of: TSchema, pattern: string): string {
    const name = typeName(of, entry);
    const base = this.#name(`${name}Value`, tag('simpleType', { name: `${name}Value` }, restriction(of)));
    const key = tag('restriction', { base: 'xs:string' }, tag('pattern', { value: xsdPattern(pattern) }));
    const attribute = tag('attribute', { name: 'name', use: 'required' }, tag('simpleType', {}, key));
    const content = tag('simpleContent', {}, tag('extension', { base }, attribute));
    return this.#name(name, tag('complexType', { name }, content));
  }

  /** The members of an object: in any order, none twice. */
  members(schema: TSchema, required: readonly string[]): string {
    const kind = kindOf(schema);
    if (kind.is !== 'object') throw new Error('only an object has members');
    const elements = [...kind.members].map(([name, member]) =>
      this.element(name, member, required.includes(name) ? {} : { minOccurs: 0 }),
    );
    return tag('all', {}, ...elements);
  }

  all(): string[] {
    return [...this.#named.values()];
  }
}

/** No item twice where the schema says so; no key twice in a map. */
function unique(name: string, schema: TSchema, kind: Kind): string {
  const what =
    kind.is === 'map'
      ? [kind.entry, '@name']
      : kind.is === 'list' && plain(schema).uniqueItems
        ? [kind.item, '.']
        : [];
  const [selected, field] = what;
  if (selected === undefined || field === undefined) return '';
  const parts = [tag('selector', { xpath: `tns:${selected}` }), tag('field', { xpath: field })];
  return tag('unique', { name: `${name}Unique` }, ...parts);
}

/** The file. Members stand in any order in what it accepts; its own order is the one in which they are printed. */
export function xsd({ schema, naming, required, list, about }: XsdParts): string {
  const { one, many, namespace } = naming;
  const types = new Types();
  const description = documentation(plain(schema).description);
  const single = tag(
    'element',
    { name: one },
    description,
    tag('complexType', {}, types.members(schema, required)),
  );
  const item = tag('element', { ref: `tns:${one}`, minOccurs: 0, maxOccurs: 'unbounded' });
  const all = tag('element', { name: many }, tag('complexType', {}, tag('sequence', {}, item)));
  const head = {
    'xmlns:xs': 'http://www.w3.org/2001/XMLSchema',
    'xmlns:tns': namespace,
    targetNamespace: namespace,
    elementFormDefault: 'qualified',
  };
  const parts = [tag('annotation', {}, ...about.map(paragraph)), single, list ? all : '', ...types.all()];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${tag('schema', head, ...parts)}\n`;
}
