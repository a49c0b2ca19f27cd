/** What an access profile shows, said plainly: over parsed documents, one member after the other. */

export type Document = Readonly<Record<string, unknown>>;

/** The rules of a profile for one kind, as in the operator's file. */
export interface Rules {
  readonly where?: Readonly<Record<string, unknown>>;
  readonly read: '*' | readonly string[];
  readonly except?: readonly string[];
  readonly write?: '*' | readonly string[];
  readonly create?: boolean;
  readonly delete?: boolean;
}

/** Left out: there are none of the kind. */
export interface Profile {
  readonly users?: Rules;
  readonly groups?: Rules;
}

export type Plural = keyof Profile;

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isIn = (name: string, list: '*' | readonly string[]): boolean =>
  list === '*' || list.some((one) => name === one || name.startsWith(`${one}.`));

const alwaysVisible = ['id', 'meta', 'schemas'];

/** @param name with dots */
export const isVisible = ({ read, except = [] }: Rules, name: string): boolean =>
  isIn(name, alwaysVisible) || (isIn(name, read) && !isIn(name, except));

export const isWritable = (rules: Rules, name: string): boolean =>
  isVisible(rules, name) && isIn(name, rules.write ?? []);

/** Whether a member may be named in a body: it is visible, or some of what is in it. */
export const mayBeNamed = (rules: Rules, name: string): boolean =>
  isVisible(rules, name) ||
  (!isIn(name, rules.except ?? []) &&
    rules.read !== '*' &&
    rules.read.some((one) => one.startsWith(`${name}.`)));

/** The names of the members without members of their own, with dots: lists and texts. */
export const leavesOf = (value: Document, prefix = ''): readonly string[] =>
  Object.entries(value).flatMap(([name, member]) =>
    isObject(member) ? leavesOf(member, `${prefix}${name}.`) : [prefix + name],
  );

/** The part of the document whose leaves pass the test, without empty objects. */
export function only(value: Document, test: (name: string) => boolean, prefix = ''): Document {
  const rest = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    if (!isObject(member)) return test(prefix + name) ? [[name, member]] : [];
    const inner = only(member, test, `${prefix}${name}.`);
    return Object.keys(inner).length === 0 ? [] : [[name, inner]];
  });
  return Object.fromEntries(rest);
}

export const project = (rules: Rules, document: Document): Document =>
  only(document, (name) => isVisible(rules, name));

export const hiddenPart = (rules: Rules, document: Document): Document =>
  only(document, (name) => !isVisible(rules, name));

export const valueAt = (document: Document, name: string): unknown =>
  name.split('.').reduce<unknown>((value, part) => (isObject(value) ? value[part] : undefined), document);

const lower = (value: unknown): string => String(value).toLowerCase();

/** The keys of the filters that profiles of these tests have. */
const keysOf: Readonly<Record<string, (document: Document) => readonly string[]>> = Object.fromEntries(
  Object.entries({
    active: 'active',
    department: 'enterprise.department',
    userType: 'userType',
    title: 'title',
    externalId: 'externalId',
    role: 'roles',
    'attributes.system': 'attributes.system',
    displayName: 'displayName',
  }).map(([filter, name]) => [
    filter,
    (document: Document) => [valueAt(document, name) ?? []].flat().map(lower),
  ]),
);

/** Texts of these tests are of ASCII. Filters that tell cases apart are asked for values in one case only. */
function holds(document: Document, filter: string, value: unknown): boolean {
  const [, name = '', operator] = /^(.*?)(?:\.(not|exists))?$/.exec(filter) ?? [];
  const keys = keysOf[name]?.(document) ?? [];
  if (operator === 'exists') return keys.length > 0 === (String(value) === 'true');
  const isFound = [value].flat().some((one) => keys.includes(lower(one)));
  return isFound !== (operator === 'not');
}

export const isInside = (rules: Rules | undefined, document: Document): boolean =>
  rules !== undefined &&
  Object.entries(rules.where ?? {}).every(([filter, value]) => holds(document, filter, value));
