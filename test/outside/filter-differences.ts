import { findAttribute } from '../support/scim-users.ts';
/**
 * Where scim2-parse-filter does something else than the RFCs have it, or than we do where they leave it open. Each is mended in what it
 * is given: in the text, in the filter as it has read it, or in the resource.
 */

/** As scim2-parse-filter reads a filter. */
export type Tree =
  | { readonly op: 'and' | 'or'; readonly filters: readonly Tree[] }
  | { readonly op: 'not'; readonly filter: Tree }
  | { readonly op: '[]'; readonly attrPath: string; readonly valFilter: Tree }
  | Leaf;

interface Leaf {
  readonly op: 'pr' | 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';
  readonly attrPath: string;
  readonly compValue?: unknown;
}

export type Resource = Readonly<Record<string, unknown>>;

export interface Difference {
  readonly says: string;
  readonly section: string;
  readonly inText?: (text: string) => string;
  readonly inTree?: (tree: Tree) => Tree;
  readonly inResource?: (resource: Resource) => Resource;
}

type Found = NonNullable<ReturnType<typeof findAttribute>>;
/** @param found undefined for what only the mended resource has */
type MapLeaf = (leaf: Leaf, found: Found | undefined, isWithin: boolean) => Tree;

function mapLeaves(tree: Tree, map: MapLeaf, within?: string): Tree {
  switch (tree.op) {
    case 'and':
    case 'or':
      return { op: tree.op, filters: tree.filters.map((one) => mapLeaves(one, map, within)) };
    case 'not':
      return { op: 'not', filter: mapLeaves(tree.filter, map, within) };
    case '[]':
      return { ...tree, valFilter: mapLeaves(tree.valFilter, map, tree.attrPath) };
    default: {
      const path = within === undefined ? tree.attrPath : `${within}.${tree.attrPath}`;
      return map(tree, findAttribute(path), within !== undefined);
    }
  }
}

const ofLeaves =
  (map: MapLeaf) =>
  (tree: Tree): Tree =>
    mapLeaves(tree, map);

const typeOf = (found: Found | undefined) => (found?.sub ?? found?.attribute)?.type;
const isFree = (found: Found | undefined): boolean =>
  typeOf(found) === 'string' && (found?.sub ?? found?.attribute)?.caseExact === false;

type MapText = (text: string, found: Found | undefined) => string;

const mapValue = (leaf: Leaf, found: Found | undefined, map: MapText): Leaf =>
  typeof leaf.compValue === 'string' ? { ...leaf, compValue: map(leaf.compValue, found) } : leaf;

function mapTexts(value: unknown, path: string, map: MapText): unknown {
  if (typeof value === 'string') return map(value, findAttribute(path));
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, path, map));
  if (typeof value !== 'object' || value === null) return value;
  const separator = path.startsWith('urn:') && findAttribute(path) === undefined ? ':' : '.';
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, `${path}${separator}${name}`, map)]),
  );
}

/** The same of what is asked for and of what is there. */
const ofTexts = (map: MapText): Pick<Difference, 'inTree' | 'inResource'> => ({
  inTree: ofLeaves((leaf, found) => mapValue(leaf, found, map)),
  inResource: (resource) =>
    Object.fromEntries(Object.entries(resource).map(([name, value]) => [name, mapTexts(value, name, map)])),
});

const not = (filter: Tree): Tree => ({ op: 'not', filter });
const either = (...filters: Tree[]): Tree => ({ op: 'or', filters });

/** `emails.type` as `emails` and `type`. */
function splitPath(path: string): [list: string, sub: string] {
  const dot = path.lastIndexOf('.');
  return [path.slice(0, dot), path.slice(dot + 1)];
}

/** An item of which it isn't true, as a list may have one; and where the list isn't there. */
function itemNot(leaf: Leaf): { readonly some: Tree; readonly none: Tree } {
  const [attrPath, sub] = splitPath(leaf.attrPath);
  return {
    some: { op: '[]', attrPath, valFilter: not({ ...leaf, attrPath: sub }) },
    none: not({ op: 'pr', attrPath }),
  };
}

const isOfItems = (found: Found | undefined, isWithin: boolean): boolean =>
  !isWithin && found?.attribute.multiValued === true && found.sub !== undefined;

/** More items than any list here has. */
const mostItems = 4;
const itemName = (list: string, index: number): string => `${list}#${index}`;

/** `emails[…]` as one of `emails#0`, `emails#1` and so on, each of which is an item. */
function askEachItem(tree: Tree): Tree {
  if ('filters' in tree) return { op: tree.op, filters: tree.filters.map(askEachItem) };
  if (tree.op === 'not') return not(askEachItem(tree.filter));
  if (tree.op !== '[]') return tree;
  const items = Array.from({ length: mostItems }, (_, index) => itemName(tree.attrPath, index));
  return either(
    ...items.map((item): Tree => {
      const within = mapLeaves(tree.valFilter, (leaf) => ({ ...leaf, attrPath: `${item}.${leaf.attrPath}` }));
      return { op: 'and', filters: [{ op: 'pr', attrPath: item }, within] };
    }),
  );
}

function showEachItem(resource: Resource): Resource {
  const shown = Object.entries(resource).flatMap(([name, value]): [string, unknown][] => {
    if (Array.isArray(value))
      return [[name, value], ...value.map((item, index): [string, unknown] => [itemName(name, index), item])];
    return name.startsWith('urn:') ? [[name, showEachItem(value as Resource)]] : [[name, value]];
  });
  return Object.fromEntries(shown);
}

const coreUrn = /^urn:ietf:params:scim:schemas:core:2\.0:User:/i;
function withoutCoreUrn(tree: Tree): Tree {
  if ('filters' in tree) return { op: tree.op, filters: tree.filters.map(withoutCoreUrn) };
  if (tree.op === 'not') return not(withoutCoreUrn(tree.filter));
  const attrPath = tree.attrPath.replace(coreUrn, '');
  return tree.op === '[]' ? { ...tree, attrPath } : { ...tree, attrPath };
}

const keywords = /"(?:[^"\\]|\\.)*"|\b(?:true|false)\b/gi;
/** Private use: no filter here has it. */
const backslash = '\uE000';

export const differences: readonly Difference[] = [
  {
    says: 'a backslash is read as two',
    section: 'RFC 7644 §3.4.2.2: a text is one of JSON',
    inText: (text) => text.replaceAll('\\\\', backslash),
    inTree: ofLeaves((leaf, found) => mapValue(leaf, found, (text) => text.replaceAll(backslash, '\\'))),
  },
  {
    says: 'the URN of the core schema leads to a member that is called so',
    section: 'RFC 7644 §3.10: it may stand in front of each attribute',
    inTree: withoutCoreUrn,
  },
  {
    says: 'True and "False" are no booleans',
    section: 'none: Entra ID sends them',
    inText: (text) =>
      text.replace(keywords, (found) => (found.startsWith('"') ? found : found.toLowerCase())),
    inTree: ofLeaves((leaf, found) =>
      typeOf(found) === 'boolean' && typeof leaf.compValue === 'string'
        ? { ...leaf, compValue: leaf.compValue.toLowerCase() === 'true' }
        : leaf,
    ),
  },
  {
    says: 'what is not there is not null',
    section: 'RFC 7643 §2.5: unassigned and null are the same',
    inTree: ofLeaves(({ op, attrPath, compValue }) => {
      if (compValue !== null) return { op, attrPath, compValue };
      return op === 'eq' ? not({ op: 'pr', attrPath }) : { op: 'pr', attrPath };
    }),
  },
  {
    says: 'a list is not compared by its values',
    section: 'RFC 7644 §3.4.2.2: any of the values; RFC 7643 §2.4: value is the significant one',
    inTree: ofLeaves((leaf, found) =>
      leaf.op !== 'pr' &&
      found?.sub === undefined &&
      (found?.attribute.multiValued || typeOf(found) === 'complex')
        ? { ...leaf, attrPath: `${leaf.attrPath}.value` }
        : leaf,
    ),
    inResource: (resource) => ({
      ...resource,
      schemas: (resource.schemas as string[]).map((value) => ({ value })),
    }),
  },
  {
    says: 'dates are compared as texts',
    section: 'RFC 7644 §3.4.2.2: chronologically',
    ...ofTexts((text, found) => (typeOf(found) === 'dateTime' ? new Date(text).toISOString() : text)),
  },
  {
    says: 'an item that does not say so may be the primary one',
    section: 'RFC 7643 §2.4: left out, it is false',
    inTree: ofLeaves((leaf, found, isWithin) => {
      const { op, attrPath, compValue } = leaf;
      if (found?.sub?.name !== 'primary' || compValue !== false) return leaf;
      const isOne: Leaf = { op: 'eq', attrPath, compValue: true };
      if (op === 'eq') return isWithin ? not(isOne) : itemNot(isOne).some;
      return isWithin ? isOne : either(isOne, itemNot(isOne).none);
    }),
  },
  {
    says: 'ne is not true of what is not there',
    section: 'RFC 7643 §2.5: it is null, which is not identical (RFC 7644 §3.4.2.2)',
    inTree: ofLeaves((leaf, found, isWithin) => {
      if (leaf.op !== 'ne') return leaf;
      const isSame: Leaf = { ...leaf, op: 'eq' };
      if (!isOfItems(found, isWithin)) return not(isSame);
      return either(itemNot(isSame).some, itemNot(isSame).none);
    }),
  },
  {
    says: 'case makes a difference',
    section: 'RFC 7643 §7: unless caseExact is true, none',
    ...ofTexts((text, found) => (isFree(found) ? text.toLowerCase().replaceAll('ς', 'σ') : text)),
  },
  {
    says: 'texts are in the order of UTF-16',
    section: 'RFC 7644 §3.4.2.2 says lexicographical only: ours is that of code points everywhere',
    ...ofTexts((text, found) =>
      found === undefined || typeOf(found) === 'dateTime'
        ? text
        : Array.from(text, (one) => `x${(one.codePointAt(0) ?? 0).toString(16).padStart(6, '0')}`).join(''),
    ),
  },
  {
    says: 'each comparison in a value path may be true of another item',
    section: 'RFC 7644 §3.4.2.2: they are applied to the same value',
    inTree: askEachItem,
    inResource: showEachItem,
  },
];
