/** XML Schema 1.0, from the schema that validates. It accepts everything that the XML format prints, and part of what the service reads. */

import type { TObject, TSchema } from 'typebox';
import { type Shape, shapeOf } from '../formats/port/schema-shapes.ts';
import type { DocumentType } from '../http/pipeline/api.ts';
import { requiredOf, toPlain, typeNameOf } from './names.ts';
import { toXsdPattern } from './xsd-pattern.ts';

export interface XsdParts {
  /** A document, or a list with its items, which are documents, too. */
  readonly of: Pick<DocumentType, 'schema' | 'naming' | 'isList' | 'beside'>;
  /** Members of every document, in requests and responses; default: those that the schema requires. */
  readonly required?: readonly string[];
  /** Paragraphs for readers of the file. */
  readonly about: readonly string[];
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

const toReference = (character: string): string => `&#${character.codePointAt(0)};`;
const escapeText = (text: string): string => text.replace(/[&<>]/g, toReference);

/** Escapes all but ASCII too, since patterns contain invisible spaces of many kinds. */
const escapeAttribute = (value: string): string => value.replace(/[&<>"]|[^\x20-\x7e]/gu, toReference);

function tag(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const pairs = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeAttribute(String(value))}"`],
  );
  const open = `<xs:${name}${pairs.join('')}`;
  const inside = children.filter((child) => child !== '').join('\n');
  if (inside === '') return `${open}/>`;
  return `${open}>\n${inside.replace(/^/gm, '  ')}\n</xs:${name}>`;
}

const paragraph = (words: string): string => `<xs:documentation>${escapeText(words)}</xs:documentation>`;
const documentation = (words: unknown): string =>
  typeof words === 'string' ? tag('annotation', {}, paragraph(words)) : '';

/** JSON Schema's types and formats in XML Schema. */
const bases: Readonly<Record<string, string>> = {
  boolean: 'xs:boolean',
  integer: 'xs:integer',
  number: 'xs:decimal',
  'date-time': 'xs:dateTime',
  'uri-reference': 'xs:anyURI',
};
/** JSON Schema's limits in XML Schema. */
const facets: Readonly<Record<string, string>> = {
  minLength: 'minLength',
  maxLength: 'maxLength',
  minimum: 'minInclusive',
  maximum: 'maxInclusive',
};

const baseOf = (schema: TSchema): string => {
  const { type, format } = toPlain(schema);
  return bases[String(format)] ?? bases[String(type)] ?? 'xs:string';
};

function facetsOf(schema: TSchema): string[] {
  const { pattern, enum: values, ...limits } = toPlain(schema);
  return [
    ...Object.entries(facets).flatMap(([keyword, facet]) => {
      const value = limits[keyword];
      return value === undefined ? [] : [tag(facet, { value: String(value) })];
    }),
    ...(typeof pattern === 'string' ? [tag('pattern', { value: toXsdPattern(pattern) })] : []),
    ...((values as readonly unknown[] | undefined) ?? []).map((value) =>
      tag('enumeration', { value: String(value) }),
    ),
  ];
}

const restrictionOf = (schema: TSchema): string =>
  tag('restriction', { base: baseOf(schema) }, ...facetsOf(schema));

class Types {
  readonly #named = new Map<string, string>();
  readonly #constraints = new Set<string>();

  /** @returns a reference to it @throws Error when another type has the name */
  #add(name: string, type: string): string {
    const known = this.#named.get(name);
    if (known !== undefined && known !== type) throw new Error(`two types would be called ${name}`);
    this.#named.set(name, type);
    return `tns:${name}`;
  }

  /** @param occurs its `minOccurs` and `maxOccurs` */
  element(name: string, schema: TSchema, occurs: Attributes): string {
    const { description } = toPlain(schema);
    const kind = shapeOf(schema);
    if (kind.is === 'value') {
      const simple = facetsOf(schema).length > 0 ? tag('simpleType', {}, restrictionOf(schema)) : undefined;
      const type = simple === undefined ? baseOf(schema) : undefined;
      return tag('element', { name, type, ...occurs }, documentation(description), simple ?? '');
    }
    const type = this.#complex(typeNameOf(schema, name), schema, kind);
    return tag(
      'element',
      { name, type, ...occurs },
      documentation(description),
      this.#uniqueConstraint(name, schema, kind),
    );
  }

  /** `xs:unique` for the keys of a map, and for items that the schema wants unique; empty for anything else. */
  #uniqueConstraint(name: string, schema: TSchema, kind: Shape): string {
    const paths = uniquePaths(schema, kind);
    if (paths === undefined) return '';
    const [selected, field] = paths;
    const parts = [tag('selector', { xpath: `tns:${selected}` }), tag('field', { xpath: field })];
    return tag('unique', { name: this.#constraintName(`${name}Unique`) }, ...parts);
  }

  /** Names of constraints may not occur twice in a file. */
  #constraintName(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#constraints.has(name); count += 1) name = `${wanted}${count}`;
    this.#constraints.add(name);
    return name;
  }

  #complex(name: string, schema: TSchema, kind: Exclude<Shape, { is: 'value' }>): string {
    if (kind.is === 'object')
      return this.#add(name, tag('complexType', { name }, this.members(schema, requiredOf(schema))));
    const { minItems, maxItems, maxProperties } = toPlain(schema);
    const occurs = {
      // Empty lists of resources are left out; other lists may be empty by their schema.
      minOccurs: minItems === 0 ? '0' : undefined,
      maxOccurs: String(maxItems ?? maxProperties ?? 'unbounded'),
    };
    const item =
      kind.is === 'list'
        ? this.element(kind.item, kind.of, occurs)
        : tag('element', { name: kind.entry, type: this.#entry(kind.entry, kind.of, kind.keys), ...occurs });
    return this.#add(name, tag('complexType', { name }, tag('sequence', {}, item)));
  }

  /** For a map: the attribute `name` holds the key, the text the value. */
  #entry(entry: string, of: TSchema, pattern: string): string {
    const name = typeNameOf(of, entry);
    const base = this.#add(`${name}Value`, tag('simpleType', { name: `${name}Value` }, restrictionOf(of)));
    const key = tag('restriction', { base: 'xs:string' }, tag('pattern', { value: toXsdPattern(pattern) }));
    const attribute = tag('attribute', { name: 'name', use: 'required' }, tag('simpleType', {}, key));
    const content = tag('simpleContent', {}, tag('extension', { base }, attribute));
    return this.#add(name, tag('complexType', { name }, content));
  }

  /** In any order, without duplicates. */
  members(schema: TSchema, required: readonly string[]): string {
    const kind = shapeOf(schema);
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

/** The repeated elements, and the field in them that must be unique; undefined without such a rule. */
function uniquePaths(schema: TSchema, kind: Shape): readonly [selected: string, field: string] | undefined {
  if (kind.is === 'map') return [kind.entry, '@name'];
  return kind.is === 'list' && toPlain(schema).uniqueItems ? [kind.item, '.'] : undefined;
}

const attributesOf = (beside: TObject): readonly string[] =>
  Object.entries(beside.properties).map(([name, schema]) => {
    const use = requiredOf(beside).includes(name) ? 'required' : undefined;
    const { minimum } = toPlain(schema);
    const type = minimum === 0 ? 'xs:nonNegativeInteger' : baseOf(schema);
    return tag('attribute', { name, type, use });
  });

/** It accepts members in any order, and lists them in the order of printing. */
export function xsd({ of, about, required = requiredOf(of.schema) }: XsdParts): string {
  const { schema, naming, isList, beside } = of;
  const { one, many, namespace } = naming;
  const types = new Types();
  const description = documentation(toPlain(schema).description);
  const single = tag(
    'element',
    { name: one },
    description,
    tag('complexType', {}, types.members(schema, required)),
  );
  const item = tag('element', { ref: `tns:${one}`, minOccurs: 0, maxOccurs: 'unbounded' });
  const attributes = beside === undefined ? [] : attributesOf(beside);
  const all = tag(
    'element',
    { name: many },
    tag('complexType', {}, tag('sequence', {}, item), ...attributes),
  );
  const head = {
    'xmlns:xs': 'http://www.w3.org/2001/XMLSchema',
    'xmlns:tns': namespace,
    targetNamespace: namespace,
    elementFormDefault: 'qualified',
  };
  const parts = [tag('annotation', {}, ...about.map(paragraph)), single, isList ? all : '', ...types.all()];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${tag('schema', head, ...parts)}\n`;
}
