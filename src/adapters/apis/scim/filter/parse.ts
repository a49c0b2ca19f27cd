/**
 * Parses filters (RFC 7644 §3.4.2.2) and PATCH paths (§3.5.2, figure 7). Names, operators and keywords are case-insensitive. The limits
 * below bound time and stack for any input.
 */
import { type AttributePath, findSub, suggestSubAttribute, withUnkept } from '../resource/attributes.ts';
import { isNamed } from '../resource/fold-name.ts';
import { showName } from '../resource/read-value.ts';
import type { ResourceType } from '../resource/resource-type.ts';
import { readComparison } from './comparisons.ts';
import type { PatchPath, ScimFilter } from './syntax.ts';
import { fault, readTokens, type Token, type Tokens } from './tokens.ts';

/** In UTF-16 code units. */
export const maxFilterLength = 10_000;
/** Comparisons per filter, including `pr`. */
export const maxComparisons = 64;
/** Nested brackets of either kind. */
export const maxNesting = 16;

/** The state of one parse. */
interface Reading {
  readonly tokens: Tokens;
  readonly type: ResourceType;
  comparisons: number;
  nesting: number;
}

const isWord = ({ kind, text }: Token, keyword: string): boolean => kind === 'word' && isNamed(text, keyword);

function expect({ kind, at }: Token, wanted: Token['kind'], detail: string): void {
  if (kind !== wanted) throw fault(detail, at);
}

/** Reads the content of brackets, after the opening one. */
function readNested<T>(reading: Reading, at: number, read: () => T): T {
  reading.nesting += 1;
  if (reading.nesting > maxNesting) throw fault(`brackets may stand ${maxNesting} deep`, at);
  const value = read();
  reading.nesting -= 1;
  return value;
}

/** `and` binds more tightly than `or`. */
const readFilter = (reading: Reading, within?: AttributePath): ScimFilter =>
  readChain(reading, 'or', () => readChain(reading, 'and', () => readTerm(reading, within)));

function readChain({ tokens }: Reading, kind: 'and' | 'or', read: () => ScimFilter): ScimFilter {
  const first = read();
  const more: ScimFilter[] = [];
  while (isWord(tokens.peek(), kind)) {
    tokens.next();
    more.push(read());
  }
  return more.length === 0 ? first : { kind, filters: [first, ...more] };
}

/** @param within the list of a value path, which allows only its sub-attributes; by default any attribute is allowed */
function readTerm(reading: Reading, within: AttributePath | undefined): ScimFilter {
  const { tokens } = reading;
  const token = tokens.next();
  if (token.kind === '(') return readGroup(reading, within, token);
  if (isWord(token, 'not')) {
    const bracket = tokens.next();
    expect(bracket, '(', 'behind not a bracket is expected');
    return { kind: 'not', filter: readGroup(reading, within, bracket) };
  }
  const path = readPath(reading, token, within);
  const { kind, at, isSpaced } = tokens.peek();
  if (kind === '[' && !isSpaced) {
    if (within !== undefined) throw fault('a value path may not stand in another', at);
    return readValuePath(reading, path);
  }
  return countComparison(reading, path, token.at);
}

function readGroup(reading: Reading, within: AttributePath | undefined, { at }: Token): ScimFilter {
  return readNested(reading, at, () => {
    const filter = readFilter(reading, within);
    expect(reading.tokens.next(), ')', 'and, or, or a closing bracket is expected');
    return filter;
  });
}

function countComparison(reading: Reading, path: AttributePath, at: number): ScimFilter {
  reading.comparisons += 1;
  if (reading.comparisons > maxComparisons)
    throw fault(`a filter may have ${maxComparisons} comparisons`, at);
  return readComparison(reading.tokens, path);
}

function readPath({ type }: Reading, token: Token, within?: AttributePath): AttributePath {
  const { text, at } = token;
  expect(token, 'word', 'an attribute is expected');
  const path = within === undefined ? type.findAttribute(text) : findSub(within, text);
  if (path !== undefined) return path;
  const suggestion =
    within === undefined ? type.suggestAttribute(text) : suggestSubAttribute(within.attribute, text);
  throw fault(`there is no attribute ${showName(text)}${suggestion}`, at);
}

/** Reads a filter in square brackets, including the brackets. */
function readItemFilter(reading: Reading, path: AttributePath): ScimFilter {
  const { attribute, sub } = path;
  const { at } = reading.tokens.next();
  if (sub !== undefined || !attribute.multiValued || attribute.type !== 'complex')
    throw fault('only a list of complex values takes a filter in brackets', at);
  return readNested(reading, at, () => {
    const filter = readFilter(reading, path);
    expect(reading.tokens.next(), ']', 'and, or, or a closing square bracket is expected');
    return filter;
  });
}

/** The sub-attribute after a filter in brackets: `.value`. */
function readSubAttribute({ tokens }: Reading, path: AttributePath): AttributePath | undefined {
  const { kind, text, isSpaced } = tokens.peek();
  if (kind !== 'word' || isSpaced || !text.startsWith('.')) return undefined;
  const { at } = tokens.next();
  const name = text.slice(1);
  const sub = findSub(path, name);
  if (sub !== undefined) return sub;
  const suggestion = suggestSubAttribute(path.attribute, name);
  throw fault(`there is no sub-attribute ${showName(name)}${suggestion}`, at + 1);
}

/**
 * `emails[type eq "work"]`. Also `emails[type eq "work"].value eq "x"`, which is not in the grammar but sent by identity providers: one
 * item must match both.
 */
function readValuePath(reading: Reading, path: AttributePath): ScimFilter {
  const within = readItemFilter(reading, path);
  const { at } = reading.tokens.peek();
  if (path.attribute.isRelation && within.kind !== 'compare')
    throw fault(`${path.attribute.name} takes one comparison in brackets`, at);
  const of = readSubAttribute(reading, path);
  if (of === undefined) return { kind: 'items', path, filter: within };
  const filters = [within, countComparison(reading, of, at)];
  return { kind: 'items', path, filter: { kind: 'and', filters } };
}

function startReading(type: ResourceType, text: string): Reading {
  if (text.length > maxFilterLength)
    throw fault(`nothing longer than ${maxFilterLength} characters is taken`, maxFilterLength);
  return { tokens: readTokens(text), type, comparisons: 0, nesting: 0 };
}

/** @throws SyntaxFault for invalid syntax, an invalid comparison or an exceeded limit */
export function parseFilter(type: ResourceType, text: string): ScimFilter {
  const reading = startReading(type, text);
  const filter = readFilter(reading);
  expect(reading.tokens.next(), 'end', 'and, or, or the end is expected');
  return filter;
}

/** @throws SyntaxFault */
export function parsePatchPath(type: ResourceType, text: string): PatchPath {
  if (text.startsWith('/'))
    throw fault('a path has no slashes, as in name.givenName or emails[type eq "work"].value', 0);
  const reading = startReading(type, text);
  const path = withUnkept(readPath(reading, reading.tokens.next()));
  const { kind, isSpaced } = reading.tokens.peek();
  const filter = kind === '[' && !isSpaced ? readItemFilter(reading, path) : undefined;
  const sub = filter === undefined ? path.sub : readSubAttribute(reading, path)?.sub;
  expect(reading.tokens.next(), 'end', 'the end of the path is expected');
  return { path, filter, sub };
}
