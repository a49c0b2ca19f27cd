/** Holds a change log against what clients were answered. Every function fails with the first thing that is wrong. */
import { expect } from 'chai';
import type { Change } from './followers.ts';
import type { Effect, Ledger, Sent } from './ledger.ts';

/** Each entry has its write, which it alone came of; each answered write has its entries, each refused one none. */
export function expectOneEntryEach(log: readonly Change[], ledger: Ledger): void {
  const met = new Set<Effect>();
  for (const change of log) {
    const sent = ledger.sent.get(change.request);
    const left = sent?.effects.filter((effect) => effect.type === change.type && !met.has(effect)) ?? [];
    // Of a Bulk, some may be refused, which then have no id: an entry is theirs only if it is no other one's.
    const nameless = left.filter(({ id }) => id === undefined);
    const effect =
      left.find(({ id }) => id === change.id) ??
      nameless.find(({ answer }) => answer !== 'refused') ??
      nameless[0] ??
      expect.fail(`nothing wrote ${JSON.stringify(change)}`);
    met.add(effect);
    effect.id ??= change.id;
    if (effect.version !== undefined)
      expect(documentVersion(change.version), change.cursor).to.equal(documentVersion(effect.version));
  }
  for (const { request, effects } of ledger.sent.values())
    for (const effect of effects)
      if (effect.answer !== 'none')
        expect(met.has(effect), `an entry of ${JSON.stringify({ request, ...effect })}`).to.equal(
          effect.answer === 'done',
        );
}

/** The log counts the changes of a group's members behind a dot, as entity tags do in their way, and `meta.version` does not. */
export const documentVersion = (version = ''): string => version.replace(/[.].*/, '');

/** A write that was sent when another one had been answered comes behind it. */
export function expectOrder(log: readonly Change[], ledger: Ledger): void {
  let latest: Sent | undefined;
  for (const change of log) {
    const sent = ledger.sent.get(change.request);
    if (sent === undefined) continue;
    if (latest !== undefined)
      expect(sent.answeredAt, `${change.request} behind ${latest.request}`).to.be.above(latest.sentAt);
    if (latest === undefined || sent.sentAt > latest.sentAt) latest = sent;
  }
}

/** What the log says that there is. */
interface Told {
  /** Versions by `user …` and `group …`, without deleted ones. */
  readonly versions: ReadonlyMap<string, string | undefined>;
  /** By group. */
  readonly members: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Goes through the log from its beginning: each resource is created first and deleted last, and members come before they go. */
export function tell(log: readonly Change[]): Told {
  const versions = new Map<string, string | undefined>();
  const members = new Map<string, Set<string>>();
  for (const change of log) {
    const { type, id, version } = change;
    const [kind, op] = type.split('.');
    const name = `${kind} ${id}`;
    expect(versions.has(name), `${op} of ${name} at ${change.cursor}`).to.equal(op !== 'created');
    versions.set(name, version);
    if (op === 'deleted') versions.delete(name);
    if (type === 'group.created') members.set(id, new Set());
    if (type === 'group.deleted') members.delete(id);
    if (type === 'user.deleted') for (const all of members.values()) all.delete(id);
    if (op === 'members-changed') changeMembers(members.get(id) ?? new Set(), change);
  }
  return { versions, members };
}

function changeMembers(members: Set<string>, { cursor, added = [], removed = [], whole }: Change): void {
  if (whole) members.clear();
  for (const id of added) expect(members.has(id), `${id} was no member before ${cursor}`).to.equal(false);
  for (const id of removed) expect(members.has(id), `${id} was a member before ${cursor}`).to.equal(true);
  for (const id of added) members.add(id);
  for (const id of removed) members.delete(id);
}

/** An entry of a history. */
export interface OldChange extends Change {
  readonly changed?: readonly string[];
  readonly before?: Values;
  readonly after?: Values;
}
type Values = { readonly [member: string]: unknown };

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function at(values: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, name) => (isValues(value) ? value[name] : undefined), values);
}

/** Checks that each entry's `before` is the result of the previous entry. @param history oldest first @returns the result of the last one */
export function expectChain(history: readonly OldChange[]): Map<string, unknown> {
  // By pointer, of members that are no objects.
  let state = new Map<string, unknown>();
  for (const { type, cursor, changed = [], before, after } of history) {
    if (type.endsWith('.members-changed')) continue;
    if (type.endsWith('.created')) {
      state = leavesOf(after);
      continue;
    }
    if (type.endsWith('.deleted')) expect(leavesOf(before), cursor).to.deep.equal(state);
    for (const pointer of changed) {
      expect(at(before, pointer), `${pointer} before ${cursor}`).to.deep.equal(state.get(pointer));
      const value = at(after, pointer);
      if (value === undefined) state.delete(pointer);
      else state.set(pointer, value);
    }
  }
  return state;
}

/** Of a resource without `id` and `meta`. */
export function leavesOf(values: unknown, pointer = '', leaves = new Map<string, unknown>()) {
  for (const [name, value] of Object.entries(isValues(values) ? values : {})) {
    const below = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (isValues(value)) leavesOf(value, below, leaves);
    else leaves.set(below, value);
  }
  return leaves;
}
