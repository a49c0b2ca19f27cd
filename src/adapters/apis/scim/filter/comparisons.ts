/** Reads one comparison, and checks its operator and value against the attribute's type (RFC 7644 §3.4.2.2, table 3). */
import { type Attribute, type AttributePath, findSub } from '../resource/attributes.ts';
import { foldName, isNamed } from '../resource/fold-name.ts';
import { toTag } from '../resource/read-value.ts';
import { parseInstant } from './instants.ts';
import type { FilterValue, Operator, ScimFilter } from './syntax.ts';
import { fault, type Token, type Tokens } from './tokens.ts';

const equality: readonly Operator[] = ['eq', 'ne'];
const order: readonly Operator[] = ['gt', 'ge', 'lt', 'le'];
const parts: readonly Operator[] = ['co', 'sw', 'ew'];
const operators: ReadonlyMap<string, Operator> = new Map(
  [...equality, ...parts, ...order].map((operator) => [operator, operator]),
);

/** Operators by type. Operators that the standard leaves undefined are rejected, since no result would be right. */
const operatorsOf: Readonly<Record<Attribute['type'], readonly Operator[]>> = {
  string: [...operators.values()],
  reference: [...operators.values()],
  dateTime: [...equality, ...order],
  integer: [...equality, ...order],
  decimal: [...equality, ...order],
  boolean: equality,
  binary: equality,
  complex: [],
};

function readValue(token: Token, attribute: Attribute): FilterValue {
  const { type } = attribute;
  if (type === 'boolean') {
    // Identity providers write `True` and `"False"`.
    const value = foldName(token.text);
    if (value !== 'true' && value !== 'false') throw fault('true or false is expected', token.at);
    return value === 'true';
  }
  if (type === 'integer' || type === 'decimal') {
    // As everywhere in SCIM, a text of a number is one.
    const value = /^[-+]?[\d.]+(?:e[-+]?\d+)?$/i.test(token.text) ? Number(token.text) : Number.NaN;
    if (!Number.isFinite(value)) throw fault('a number is expected', token.at);
    return value;
  }
  if (token.kind !== 'string') throw fault('a text in quotes is expected', token.at);
  if (type !== 'dateTime') return toTag(attribute, token.text);
  // In a URL, the plus of a zone may have become a space.
  const instant = token.text.replace(/ (?=\d\d:\d\d$)/, '+');
  if (!Number.isNaN(parseInstant(instant))) return instant;
  throw fault('a date with a time is expected, such as "2026-01-31T23:59:59Z"', token.at);
}

/** A complex attribute is compared by its `value`, if it has one. */
function comparedPath(path: AttributePath, at: number): AttributePath {
  const { attribute, sub } = path;
  if (sub !== undefined || attribute.type !== 'complex') return path;
  const value = findSub(path, 'value');
  if (value === undefined) throw fault('one of its sub-attributes has to be named, or pr to be used', at);
  return value;
}

/** Reads the operator and value after the attribute's name. @throws SyntaxFault */
export function readComparison(tokens: Tokens, path: AttributePath): ScimFilter {
  const { at } = tokens.peek();
  const filter = readAnyComparison(tokens, path);
  const isPresence = filter.kind === 'present' && path.sub === undefined;
  if (!path.attribute.isRelation || isPresence || isEquality(filter)) return filter;
  throw fault(`${path.attribute.name} can be compared only by value, with eq, or as a whole, with pr`, at);
}

const isEquality = (filter: ScimFilter): boolean =>
  filter.kind === 'compare' &&
  filter.operator === 'eq' &&
  filter.value !== null &&
  filter.path.sub?.name === 'value';

function readAnyComparison(tokens: Tokens, path: AttributePath): ScimFilter {
  const { kind, text, at } = tokens.next();
  const name = kind === 'word' ? foldName(text) : '';
  if (name === 'pr') return { kind: 'present', path };
  const operator = operators.get(name);
  if (operator === undefined) throw fault(`${[...operators.keys()].join(', ')} or pr is expected`, at);
  const token = tokens.next();
  if (token.kind !== 'string' && token.kind !== 'word') throw fault('a value is expected', token.at);
  // null applies to the whole attribute: an empty attribute is null, and its `value` isn't compared (RFC 7643 §2.5).
  if (token.kind === 'word' && isNamed(token.text, 'null')) {
    if (!equality.includes(operator)) throw fault('null goes with eq and ne only', at);
    return { kind: 'compare', path, operator, value: null };
  }
  const compared = comparedPath(path, at);
  const attribute = compared.sub ?? compared.attribute;
  const { type } = attribute;
  if (!operatorsOf[type].includes(operator))
    throw fault(`this attribute is compared by ${operatorsOf[type].join(', ')} and pr only`, at);
  return { kind: 'compare', path: compared, operator, value: readValue(token, attribute) };
}
