/** The same for XML Schema, as this project writes it. */
import { XMLParser } from 'fast-xml-parser';

type Facts = ReadonlyMap<string, string>;

/** A schema's attributes, each by the path of names that leads to it; annotations are left out. */
function factsOf(xsd: string): Facts {
  const facts = new Map<string, string>();
  const walk = (node: unknown, path: string): void => {
    if (Array.isArray(node)) for (const each of node) walk(each, path);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    const { name, ref, value } = node as Readonly<Record<string, string>>;
    const isOneOfMany = /enumeration$/.test(path);
    const at = `${path}${(name ?? ref ?? (isOneOfMany ? value : undefined)) ? `[${name ?? ref ?? value}]` : ''}`;
    facts.set(at, '');
    for (const [key, inner] of Object.entries(node)) {
      if (key === 'xs:annotation') continue;
      if (typeof inner === 'string' && !key.startsWith('xs:')) facts.set(`${at}@${key}`, inner);
      else for (const each of [inner].flat()) walk(each === '' ? {} : each, `${at}/${key}`);
    }
  };
  walk(
    new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', parseAttributeValue: false }).parse(
      xsd,
    ),
    '',
  );
  return facts;
}

const raisable = /\/xs:(?:maxLength|maxInclusive)@value$|@maxOccurs$/;
const limit = (value: string): number => (value === 'unbounded' ? Infinity : Number(value));

/** A new fact asks more of a document, or promises less, where there was something already. */
function narrows(fact: string, before: Facts, after: Facts): boolean {
  const [, node = '', attribute] = /^(.*?)(?:@([A-Za-z]+))?$/.exec(fact) ?? [];
  if (attribute !== undefined) return before.has(node) && !raisable.test(fact);
  const [, parent = '', tag = ''] = /^(.*)\/xs:([A-Za-z]+)(?:\[[^\]]*\])?$/.exec(fact) ?? [];
  if (!before.has(parent) || parent === '/xs:schema') return false;
  if (tag === 'attribute') return after.get(`${fact}@use`) === 'required';
  return tag !== 'element' || after.get(`${fact}@minOccurs`) !== '0';
}

/** One line for each thing that a document or a reader of the old schema can't rely on any more. */
export function findBreaksInXsd(old: string, now: string): readonly string[] {
  const [before, after] = [factsOf(old), factsOf(now)];
  const breaking: string[] = [];
  for (const [fact, value] of before) {
    const is = after.get(fact);
    if (is === undefined) breaking.push(`${fact} is gone`);
    else if (is !== value && !(raisable.test(fact) && limit(is) > limit(value)))
      breaking.push(`${fact} is ${is}, was ${value}`);
  }
  for (const fact of after.keys())
    if (!before.has(fact) && narrows(fact, before, after)) breaking.push(`${fact} is new`);
  return breaking;
}
