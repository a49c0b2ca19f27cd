/** Finds changes of the OpenAPI document that break clients written against the old one (docs/compatibility.md has the rules). */
import { isDeepEqual, isObject } from '../../../src/domain/validation/plain-values.ts';

type Tree = Readonly<Record<string, unknown>>;
/** Sent by clients, or shown to them. */
type Direction = 'sent' | 'shown';

const tree = (value: unknown): Tree => (isObject(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const upper = ['maxLength', 'maxItems', 'maxProperties', 'maximum', 'maxContains'];
const lower = ['minLength', 'minItems', 'minProperties', 'minimum', 'minContains'];
/** Keywords that must stay as they are, whoever sends the document. */
const fixed = ['type', 'const', 'pattern', 'format', 'xml', 'uniqueItems', 'readOnly', 'contains'];
const inside = ['items', 'propertyNames', 'additionalProperties'];

/** A pattern that is one part, so many times. */
const repeated = /^\^(?<part>.*)\{(?<least>[0-9]+)(?:,(?<most>[0-9]+))?\}\$$/;

/** The same part, as many times as before and more often or less: a higher limit. */
function isWiderPattern(before: unknown, after: unknown): boolean {
  const [was, is] = [before, after].map((pattern) => repeated.exec(String(pattern))?.groups);
  if (was === undefined || is === undefined || was.part !== is.part) return false;
  const countsOf = ({ least, most = least }: Partial<Record<string, string>>) => [
    Number(least),
    Number(most),
  ];
  const [[least = 0, most = 0], [leastNow = 0, mostNow = 0]] = [countsOf(was), countsOf(is)];
  return leastNow <= least && mostNow >= most;
}

const number = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

class Comparison {
  readonly breaking: string[] = [];
  readonly #seen = new Set<string>();
  readonly #old: Tree;
  readonly #new: Tree;

  constructor(old: Tree, now: Tree) {
    this.#old = old;
    this.#new = now;
  }

  #lost(at: string, what: string): void {
    this.breaking.push(`${at}: ${what}`);
  }

  #resolved(value: unknown, root: Tree): Tree {
    const { $ref: reference } = tree(value);
    if (typeof reference !== 'string') return tree(value);
    const steps = reference.split('/').slice(1);
    return tree(steps.reduce<unknown>((place, step) => tree(place)[step], root));
  }

  schema(old: unknown, now: unknown, direction: Direction, at: string): void {
    // Schemas refer to themselves; a pair that was compared needs no second time.
    const pair = `${JSON.stringify(old)} ${JSON.stringify(now)} ${direction}`;
    if (this.#seen.has(pair)) return;
    this.#seen.add(pair);
    const [before, after] = [this.#resolved(old, this.#old), this.#resolved(now, this.#new)];
    for (const keyword of fixed) {
      const [was, is] = [before[keyword], after[keyword]];
      const isWider = keyword === 'pattern' && direction === 'sent' && isWiderPattern(was, is);
      if (!isDeepEqual(was, is) && !isWider) this.#lost(at, `${keyword} is another`);
    }
    this.#limits(before, after, direction, at);
    this.#members(before, after, direction, at);
    this.#values(before, after, direction, at);
    for (const keyword of inside) {
      if (isObject(before[keyword]) && isObject(after[keyword]))
        this.schema(before[keyword], after[keyword], direction, `${at}/${keyword}`);
      else if (before[keyword] !== after[keyword] && (direction === 'sent' || before[keyword] !== undefined))
        this.#lost(at, `${keyword} is another`);
    }
    for (const keyword of ['anyOf', 'allOf', 'oneOf']) this.#branches(before, after, keyword, direction, at);
  }

  #limits(before: Tree, after: Tree, direction: Direction, at: string): void {
    for (const keyword of upper) {
      const narrower = number(after[keyword], Infinity) < number(before[keyword], Infinity);
      if (direction === 'sent' && narrower) this.#lost(at, `${keyword} is lower`);
    }
    for (const keyword of lower) {
      const [was, is] = [number(before[keyword], 0), number(after[keyword], 0)];
      if (direction === 'sent' ? is > was : is < was) this.#lost(at, `${keyword} is another`);
    }
  }

  #members(before: Tree, after: Tree, direction: Direction, at: string): void {
    for (const group of ['properties', 'patternProperties']) {
      const [was, is] = [tree(before[group]), tree(after[group])];
      for (const [name, schema] of Object.entries(was)) {
        if (name in is) this.schema(schema, is[name], direction, `${at}/${name}`);
        else this.#lost(at, `${name} is gone`);
      }
    }
    const [was, is] = [list(before.required), list(after.required)];
    for (const name of direction === 'sent' ? is : was)
      if (!(direction === 'sent' ? was : is).includes(name))
        this.#lost(at, direction === 'sent' ? `${name} is required now` : `${name} may be missing now`);
  }

  #values(before: Tree, after: Tree, direction: Direction, at: string): void {
    if (before.enum === undefined && after.enum !== undefined && direction === 'sent')
      this.#lost(at, 'only some values are taken now');
    if (before.enum === undefined || after.enum === undefined) return;
    for (const value of list(before.enum))
      if (!list(after.enum).includes(value) && direction === 'sent')
        this.#lost(at, `${value} is not taken any more`);
  }

  #branches(before: Tree, after: Tree, keyword: string, direction: Direction, at: string): void {
    const [was, is] = [list(before[keyword]), list(after[keyword])];
    const fewer = is.length < was.length;
    const more = is.length > was.length && (keyword === 'allOf' || direction === 'shown' || was.length === 0);
    if (fewer || more) this.#lost(at, `${keyword} is another`);
    for (const [index, branch] of was.slice(0, is.length).entries())
      this.schema(branch, is[index], direction, `${at}/${keyword}/${index}`);
  }

  #content(before: Tree, after: Tree, direction: Direction, at: string): void {
    for (const [type, media] of Object.entries(tree(before.content))) {
      const now = tree(after.content)[type];
      if (now === undefined) this.#lost(at, `${type} is gone`);
      else this.schema(tree(media).schema, tree(now).schema, direction, `${at} ${type}`);
    }
  }

  #answers(before: Tree, after: Tree, at: string): void {
    for (const [status, answer] of Object.entries(before)) {
      const was = this.#resolved(answer, this.#old);
      if (!(status in after)) {
        if (status < '400') this.#lost(at, `${status} is gone`);
        continue;
      }
      const is = this.#resolved(after[status], this.#new);
      this.#content(was, is, 'shown', `${at} ${status}`);
      for (const [name, header] of Object.entries(tree(was.headers))) {
        const now = this.#resolved(tree(is.headers)[name], this.#new);
        const required = this.#resolved(header, this.#old).required === true;
        if (required && now.required !== true) this.#lost(`${at} ${status}`, `${name} may be missing now`);
      }
    }
    for (const status of Object.keys(after))
      if (status < '400' && !(status in before)) this.#lost(at, `${status} is a success it did not know`);
  }

  #parameters(before: Tree, after: Tree, at: string): void {
    const byName = (operation: Tree, root: Tree) =>
      new Map(
        list(operation.parameters).map((each) => [
          String(this.#resolved(each, root).name),
          this.#resolved(each, root),
        ]),
      );
    const [was, is] = [byName(before, this.#old), byName(after, this.#new)];
    for (const [name, parameter] of was) {
      const now = is.get(name);
      if (now === undefined) this.#lost(at, `the parameter ${name} is gone`);
      else this.schema(parameter.schema, now.schema, 'sent', `${at} ${name}`);
    }
    for (const [name, parameter] of is)
      if (parameter.required === true && was.get(name)?.required !== true)
        this.#lost(at, `the parameter ${name} is required now`);
  }

  operation(before: Tree, after: Tree, at: string): void {
    if (before.operationId !== after.operationId) this.#lost(at, 'it has another operationId');
    if (!isDeepEqual(before.security, after.security)) this.#lost(at, 'it takes other credentials');
    this.#parameters(before, after, at);
    this.#content(tree(before.requestBody), tree(after.requestBody), 'sent', at);
    this.#answers(tree(before.responses), tree(after.responses), at);
  }

  paths(): void {
    for (const [path, item] of Object.entries(tree(this.#old.paths))) {
      const now = tree(tree(this.#new.paths)[path]);
      for (const [method, operation] of Object.entries(tree(item))) {
        if (method === 'parameters') continue;
        const at = `${method.toUpperCase()} ${path}`;
        if (now[method] === undefined) this.#lost(at, 'it is gone');
        else this.operation(tree(operation), tree(now[method]), at);
      }
    }
  }
}

/** One line for each thing that a client of the old OpenAPI document can't rely on any more. */
export function findBreaksInOpenApi(old: Tree, now: Tree): readonly string[] {
  const comparison = new Comparison(old, now);
  comparison.paths();
  return comparison.breaking;
}

/** By the first number for a breaking change, else by the second. */
export function isVersionRaised(old: string, now: string, breaks: boolean): boolean {
  const [before, after] = [old, now].map((version) => version.split('.').map(Number)) as [number[], number[]];
  const [major = 0, minor = 0] = before;
  const [newMajor = 0, newMinor = 0] = after;
  return newMajor > major || (!breaks && newMajor === major && newMinor > minor);
}
