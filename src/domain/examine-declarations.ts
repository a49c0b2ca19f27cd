/**
 * The effect of another file of declarations on the stored users and groups: which changes are refused, and which values stay unchanged. Reads all
 * resources of a kind if one of its attributes is added, removed, of another type or stricter.
 */

import * as Type from 'typebox';
import { Examples } from './examine-store.ts';
import { matchAll } from './find/conditions.ts';
import { compareDeclarations, type DeclaredChange } from './kinds/attributes/compare.ts';
import {
  type Declarations,
  type Declared,
  declaringKinds,
  type Section,
  sections,
} from './kinds/attributes/declaration.ts';
import type { Kind } from './kinds/kind.ts';
import { kindsOf } from './kinds.ts';
import { listAll } from './list-all.ts';
import { nextMeta } from './meta.ts';
import type { Clock, Ids } from './ports.ts';
import { readable } from './resource/build.ts';
import type { Actor, Store, Write } from './store.ts';
import { attributesMember, attributesOf } from './validation/attribute-types.ts';
import { describeCount } from './validation/describe-count.ts';
import { isDeepEqual, isObject } from './validation/plain-values.ts';
import { unescapePointer, validator } from './validation/schema-validator.ts';

/** What is stored under one name. */
interface Findings {
  /** Resources with a value, or with a value that breaks the new rules: some of their ids, and how many there are. */
  readonly with: Examples;
  readonly breaking: Examples;
  /** Values that the new type reads from texts. */
  texts: number;
}

const noFindings = (kind: string): Findings => ({
  with: new Examples(kind),
  breaking: new Examples(kind),
  texts: 0,
});

interface DeclarationFinding {
  readonly verdict: 'ok' | 'note' | 'fault';
  readonly line: string;
}

/** Reads the values of one resource by the new declarations of its kind. */
function readerOf({ schema, findFaults }: Kind) {
  const validate = validator(
    Type.Object({ [attributesMember]: schema.properties[attributesMember] as Type.TSchema }),
  );
  return (attributes: Readonly<Record<string, unknown>>) => {
    const { value, violations } = validate({ [attributesMember]: attributes });
    const faults = isObject(value) ? (findFaults?.(value) ?? []) : [];
    const places = [...violations, ...faults].map(({ pointer }) =>
      unescapePointer(pointer.split('/')[2] ?? ''),
    );
    return { read: attributesOf(value), breaking: new Set(places) };
  };
}

async function examineResources(
  store: Store,
  kind: Kind,
  changes: readonly DeclaredChange[],
): Promise<ReadonlyMap<string, Findings>> {
  const found = new Map(changes.map(({ name }) => [name, noFindings(kind.name)]));
  const readValues = readerOf(kind);
  for await (const batch of listAll(store, kind.name, { where: matchAll }))
    for (const stored of batch) {
      const attributes = attributesOf(readable(stored));
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

function judge(
  section: Section,
  { name, change, before, next }: DeclaredChange,
  findings?: Findings,
): DeclarationFinding {
  const kind = declaringKinds[section];
  const { with: having, breaking, texts } = findings ?? noFindings(kind);
  const tell = (verdict: DeclarationFinding['verdict'], line: string) => ({
    verdict,
    line: `${section}.${name}: ${line}`,
  });
  const has = having.describe('has a value', 'have a value');
  const breaks = breaking.describe('has a value that breaks the rules', 'have values that break the rules');
  if (change === 'removed')
    return having.count > 0
      ? tell('fault', `it is no longer declared, but ${has}. Declare it with retired: true`)
      : tell('ok', `is no longer declared; no ${kind} has a value`);
  if (change === 'retyped')
    return having.count > 0
      ? tell('fault', `its type changes, but ${has}. Declare another name, and retire this one`)
      : tell('ok', `has another type; no ${kind} has a value`);
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

/** Retiring an attribute breaks no rule for stored values. */
const withoutRetired = (declarations: Declarations): Declarations => {
  const rulesOf = ([name, { retired: _, ...rules }]: [string, Declared]) => [name, rules];
  const entries = sections.map((section) => [
    section,
    Object.fromEntries(Object.entries(declarations[section] ?? {}).map(rulesOf)),
  ]);
  return { ...declarations, ...Object.fromEntries(entries) };
};

/** @returns a line for each attribute that changes; a fault is a reason not to serve with the new declarations */
export async function examineDeclarations(
  store: Store,
  before: Declarations,
  next: Declarations,
): Promise<readonly DeclarationFinding[]> {
  const findings: DeclarationFinding[] = [];
  for (const section of sections) {
    const changes = compareDeclarations(section, before, next);
    const concerned = changes.filter(({ change }) => change !== 'changed');
    const kind = kindsOf(withoutRetired(next)).of(declaringKinds[section]);
    const found = concerned.length === 0 ? new Map() : await examineResources(store, kind, concerned);
    findings.push(...changes.map((change) => judge(section, change, found.get(change.name))));
  }
  return findings;
}

const author: Actor = { client: 'attributes', via: 'attributes' };

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** @param names of added attributes @returns how many resources of the kind it wrote, and whether some were changed meanwhile */
async function typeTexts({ store, clock, ids }: Parts, kind: Kind, names: readonly string[]) {
  const readValues = readerOf(kind);
  let [count, isLeft] = [0, false];
  for await (const batch of listAll(store, kind.name, { where: matchAll })) {
    const writes = batch.flatMap((stored): Write[] => {
      const attributes = attributesOf(readable(stored));
      const { read } = readValues(attributes);
      const typed = names.filter((name) => name in read && !isDeepEqual(read[name], attributes[name]));
      if (typed.length === 0) return [];
      const values = Object.fromEntries(typed.map((name) => [name, read[name]]));
      const document = { ...stored.value, [attributesMember]: { ...attributes, ...values } };
      const meta = nextMeta(stored.meta, clock.now(), ids.version());
      const changed = kind.builder.print(stored.id, document, meta, stored);
      return [{ kind: kind.name, id: stored.id, op: 'replace', before: stored, next: changed }];
    });
    if (writes.length === 0) continue;
    const outcomes = await store.commit(writes, author);
    for (const outcome of outcomes) if (outcome instanceof Error) throw outcome;
    count += outcomes.filter((outcome) => outcome === 'done').length;
    isLeft ||= outcomes.includes('stale');
  }
  return { count, isLeft };
}

/**
 * Writes texts that were stored under a name before its declaration as values of its type: each an ordinary write, with an entry in the log.
 * Repeated, it finds those that are left.
 * @returns how many users and groups it wrote
 */
export async function typeStoredTexts(
  parts: Parts,
  before: Declarations,
  next: Declarations,
): Promise<number> {
  let count = 0;
  for (const section of sections) {
    const added = compareDeclarations(section, before, next).filter(({ change }) => change === 'added');
    const names = added.map(({ name }) => name);
    for (let isLeft = names.length > 0; isLeft; ) {
      const written = await typeTexts(parts, kindsOf(next).of(declaringKinds[section]), names);
      count += written.count;
      isLeft = written.isLeft;
    }
  }
  return count;
}
