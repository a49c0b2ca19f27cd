/**
 * What another file of declarations would mean for the stored users: what must not be done, and what stays as it is. Reads all users if an
 * attribute is added, removed, of another type or stricter.
 */

import * as Type from 'typebox';
import { matchAll } from './find/conditions.ts';
import { compareDeclarations, type DeclaredChange } from './kinds/attributes/compare.ts';
import type { Declarations } from './kinds/attributes/declaration.ts';
import { pathOf } from './kinds/attributes/schema.ts';
import { kindsOf } from './kinds.ts';
import { nextMeta } from './meta.ts';
import type { Clock, Ids } from './ports.ts';
import type { Actor, Store, StoredResource, Write } from './store.ts';
import { attributesMember } from './validation/attribute-types.ts';
import { describeCount } from './validation/describe-count.ts';
import { isDeepEqual, isObject } from './validation/plain-values.ts';
import { unescapePointer, validator } from './validation/schema-validator.ts';

/** Users that are read at a time. */
const batchSize = 500;

/** Ids that are told of one attribute. */
const maxExamples = 10;

/** What is stored under one name. */
interface Findings {
  /** The ids of users that have a value, or one that breaks the new rules: some, and how many. */
  readonly with: Examples;
  readonly breaking: Examples;
  /** Values that the new type reads from texts. */
  texts: number;
}

class Examples {
  count = 0;
  readonly ids: string[] = [];

  add(id: string): void {
    this.count += 1;
    if (this.ids.length < maxExamples) this.ids.push(id);
  }

  /** `12 users have a value, such as …`. @param what of one user @param many of several */
  describe(what: string, many: string): string {
    const users = describeCount(this.count, `user ${what}`, `users ${many}`);
    return `${users}: ${this.ids.join(', ')}${this.count > this.ids.length ? ', …' : ''}`;
  }
}

export interface DeclarationFinding {
  readonly verdict: 'ok' | 'note' | 'fault';
  readonly line: string;
}

const mayConcernStored = ({ change }: DeclaredChange): boolean => change !== 'changed';

/** The attributes of a user, if it can be read. */
function attributesIn(stored: StoredResource): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = Reflect.get(stored.value, attributesMember);
    return isObject(found) ? found : {};
  } catch {
    return {};
  }
}

/** Reads the values of one user by the new declarations. */
function readerOf(next: Declarations) {
  const { schema } = kindsOf(next).of('user');
  const validate = validator(
    Type.Object({ [attributesMember]: schema.properties[attributesMember] as Type.TSchema }),
  );
  return (attributes: Readonly<Record<string, unknown>>) => {
    const { value, violations } = validate({ [attributesMember]: attributes });
    const read = isObject(value) ? value[attributesMember] : undefined;
    const breaking = new Set(violations.map(({ pointer }) => unescapePointer(pointer.split('/')[2] ?? '')));
    return { read: isObject(read) ? read : {}, breaking };
  };
}

async function look(
  store: Store,
  next: Declarations,
  changes: readonly DeclaredChange[],
): Promise<ReadonlyMap<string, Findings>> {
  const found = new Map(
    changes.map(({ name }): [string, Findings] => [
      name,
      { with: new Examples(), breaking: new Examples(), texts: 0 },
    ]),
  );
  const readValues = readerOf(next);
  for await (const users of walkUsers(store))
    for (const stored of users) {
      const attributes = attributesIn(stored);
      const names = [...found.keys()].filter((name) => Object.hasOwn(attributes, name));
      if (names.length === 0) continue;
      const { read, breaking } = readValues(attributes);
      for (const name of names) {
        const findings = found.get(name) as Findings;
        findings.with.add(stored.id);
        if (breaking.has(name)) findings.breaking.add(stored.id);
        else if (!isDeepEqual(read[name], attributes[name])) findings.texts += 1;
      }
    }
  return found;
}

async function* walkUsers(store: Store): AsyncGenerator<readonly StoredResource[]> {
  const query = { where: matchAll, list: {}, limit: batchSize };
  for (let page = await store.page('user', query); ; ) {
    yield page.items;
    if (!page.more) return;
    page = await store.page('user', { ...query, after: page.last });
  }
}

function judge({ name, change, before, next }: DeclaredChange, findings?: Findings): DeclarationFinding {
  const path = pathOf(name);
  const {
    with: having,
    breaking,
    texts,
  } = findings ?? {
    with: new Examples(),
    breaking: new Examples(),
    texts: 0,
  };
  const tell = (verdict: DeclarationFinding['verdict'], line: string) => ({
    verdict,
    line: `${path}: ${line}`,
  });
  const has = having.describe('has a value', 'have a value');
  const breaks = breaking.describe('has a value that breaks the rules', 'have values that break the rules');
  if (change === 'removed')
    return having.count > 0
      ? tell('fault', `it is no longer declared, but ${has}. Declare it with retired: true`)
      : tell('ok', 'is no longer declared; no user has a value');
  if (change === 'retyped')
    return having.count > 0
      ? tell('fault', `its type changes, but ${has}. Declare another name, and retire this one`)
      : tell('ok', 'has another type; no user has a value');
  const isText = next?.type === 'string' && next.list !== true;
  if (change === 'added' && !isText && breaking.count > 0)
    return tell('fault', `it is added as ${next?.type}, but ${breaks}. Mend them, or declare another name`);
  if (breaking.count > 0) return tell('note', `${breaks}; they stay until they are written`);
  if (texts > 0)
    return tell('note', `${describeCount(texts, 'text becomes a value', 'texts become values')} of the type`);
  const words = {
    added: 'is added',
    retired: 'is retired',
    stricter: 'has stricter rules',
    changed: 'changes',
  };
  return tell('ok', `${words[change]}${before === undefined || having.count === 0 ? '' : `; ${has}`}`);
}

/** @returns a line for each attribute that changes; a fault is a reason not to serve with the new declarations */
export async function examineDeclarations(
  store: Store,
  before: Declarations,
  next: Declarations,
): Promise<readonly DeclarationFinding[]> {
  const changes = compareDeclarations(before, next);
  const concerned = changes.filter(mayConcernStored);
  const found = concerned.length === 0 ? new Map() : await look(store, next, concerned);
  return changes.map((change) => judge(change, found.get(change.name)));
}

const author: Actor = { client: 'attributes', via: 'attributes' };

/**
 * Writes texts that were stored under a name before its declaration as values of its type: each an ordinary write, with an entry in the log.
 * Repeated, it finds those that are left.
 * @returns how many users it wrote
 */
export async function typeStoredTexts(
  { store, clock, ids }: { store: Store; clock: Clock; ids: Ids },
  before: Declarations,
  next: Declarations,
): Promise<number> {
  const added = compareDeclarations(before, next).filter(({ change }) => change === 'added');
  const names = added.map(({ name }) => name);
  if (names.length === 0) return 0;
  const { builder } = kindsOf(next).of('user');
  const readValues = readerOf(next);
  let count = 0;
  for await (const users of walkUsers(store)) {
    const writes = users.flatMap((stored): Write[] => {
      const attributes = attributesIn(stored);
      const { read } = readValues(attributes);
      const typed = names.filter((name) => name in read && !isDeepEqual(read[name], attributes[name]));
      if (typed.length === 0) return [];
      const values = Object.fromEntries(typed.map((name) => [name, read[name]]));
      const document = { ...stored.value, [attributesMember]: { ...attributes, ...values } };
      const meta = nextMeta(stored.meta, clock.now(), ids.version());
      const changed = builder.print(stored.id, document, meta, stored);
      return [{ kind: 'user', id: stored.id, op: 'replace', before: stored, next: changed }];
    });
    if (writes.length === 0) continue;
    const outcomes = await store.commit(writes, author);
    for (const outcome of outcomes) if (outcome instanceof Error) throw outcome;
    count += outcomes.filter((outcome) => outcome === 'done').length;
  }
  return count;
}
