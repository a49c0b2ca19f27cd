/** Decides what one row of an import does, by the rules of the API. */

import type { Kind } from '../kinds/kind.ts';
import { ambiguousUntil, firstMeta, nextMeta, restoreMeta } from '../meta.ts';
import { ReadInput } from '../resource/build.ts';
import type { Meta, Resource } from '../resource/resource.ts';
import { Stored } from '../resource/stored.ts';
import type { StoredResource } from '../store.ts';
import { DomainError, invalidResource, isCode, type KindName, type Violation } from '../validation/errors.ts';
import { canonicalDate, isDeepEqual, isObject } from '../validation/plain-values.ts';
import { hasSameContent } from './differences.ts';
import type { ImportRow, ImportRules, MatchMember } from './import-options.ts';
import { givenId, type Lookup, listTouched, lookupOf, nameLookup, textOf, tokenOf } from './row-lookup.ts';

export interface PlannedWrite {
  readonly next: StoredResource;
  /** The resource that it replaces, if any. */
  readonly before?: StoredResource;
  /** Values that must be unique. */
  readonly takes: readonly Lookup[];
  /** The resource's keys, before and after. */
  readonly touches: readonly Lookup[];
}

export type Verdict =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'rejected'; readonly violations: readonly Violation[] }
  | { readonly kind: 'write'; readonly write: PlannedWrite };

export const reject = (...violations: readonly Violation[]): Verdict => ({ kind: 'rejected', violations });
const unchanged: Verdict = { kind: 'unchanged' };
const written = (write: PlannedWrite): Verdict => ({ kind: 'write', write });

/** @param there what the lookup of the row found */
export function decideRow(row: ImportRow, there: readonly StoredResource[], rules: ImportRules): Verdict {
  try {
    if (row.violations.length > 0) rules.kind.builder.readInput(new ReadInput(row));
    if (row.source !== undefined) return decideCopy(row.source, there[0], rules);
    return new Decision(row, rules).decide(there);
  } catch (error) {
    if (error instanceof DomainError && isCode(error, `invalid-${rules.kind.name}`))
      return reject(...error.violations);
    if (error instanceof DomainError && isCode(error, 'damaged'))
      return reject({ pointer: '', detail: error.message });
    throw error;
  }
}

/** Stored resources need not pass the current rules. With force, a resource never reuses a version that clients may know. */
function decideCopy(source: StoredResource, there: StoredResource | undefined, rules: ImportRules): Verdict {
  const { kind, clock, ids, mode } = rules;
  if (there !== undefined && hasSameContent(there, source)) return unchanged;
  if (there !== undefined && mode === 'create')
    return reject({ pointer: '/id', detail: `a ${kind.name} with this id exists, and differs` });
  if (mode === 'create') return written(planWrite(kind, source, source.value));
  const isLater = there !== undefined && ambiguousUntil(there.meta) > ambiguousUntil(source.meta);
  const latest = isLater ? there.meta : source.meta;
  const next = nextMeta({ ...latest, created: source.meta.created }, clock.now(), ids.version());
  const meta = keepsDue(kind, source.value, next) ? next : restoreMeta(source.meta, next, latest);
  return written(planWrite(kind, Stored.of({ ...source.value, meta }), source.value, there));
}

/** False if a change that time is about to make would count as made at the time of the copy. */
const keepsDue = ({ times }: Kind, value: Resource, meta: Meta): boolean =>
  times === undefined || times.nextAt(value) === times.nextAt({ ...value, meta });

/** @param value has the members of `next` that are keys */
function planWrite(kind: Kind, next: StoredResource, value: object, before?: StoredResource): PlannedWrite {
  const name = nameLookup(kind, value);
  const touches = listTouched(kind, next.id, value);
  if (before === undefined) return { next, takes: [name], touches };
  const takes = nameLookup(kind, before.value).key === name.key ? [] : [name];
  touches.push(...listTouched(kind, next.id, before.value));
  return { next, before, takes, touches };
}

/** The dates in a row. */
interface GivenMeta {
  /** In the form of stored dates: in UTC, with milliseconds. */
  readonly created?: string;
  readonly lastModified?: string;
}

/** Leaves out missing dates. @throws DomainError `invalid-…` for invalid ones */
function readGivenMeta(name: KindName, value: unknown): GivenMeta {
  const meta = isObject(value) && Object.hasOwn(value, 'meta') ? value.meta : undefined;
  if (!isObject(meta)) return {};
  const wrong: Violation[] = [];
  const read = (member: keyof GivenMeta): GivenMeta => {
    const given = Object.hasOwn(meta, member) ? meta[member] : undefined;
    if (given === undefined || given === null || given === '') return {};
    const date = typeof given === 'string' ? canonicalDate(given) : undefined;
    if (date !== undefined) return { [member]: date };
    wrong.push({ pointer: `/meta/${member}`, detail: 'must be a date and time (RFC 3339)' });
    return {};
  };
  const dates = { ...read('created'), ...read('lastModified') };
  if (wrong.length === 0) return dates;
  throw invalidResource(name, wrong);
}

class Decision {
  readonly #row: ImportRow;
  readonly #rules: ImportRules;
  readonly #given: GivenMeta;
  readonly #by: MatchMember;
  readonly #lookup: Lookup | undefined;
  readonly #kind: Kind;

  constructor(row: ImportRow, rules: ImportRules) {
    this.#row = row;
    this.#rules = rules;
    this.#kind = rules.kind;
    this.#given = rules.keepMeta ? readGivenMeta(rules.kind.name, row.value) : {};
    this.#lookup = lookupOf(row, rules);
    this.#by = this.#lookup?.by ?? (rules.match === 'id' ? rules.kind.unique.member : rules.match);
  }

  decide(there: readonly StoredResource[]): Verdict {
    const { mode, match } = this.#rules;
    const { name, plural } = this.#kind;
    const [stored, ...others] = there;
    if ((match === 'externalId' || mode === 'update') && textOf(this.#row.value, this.#by) === undefined)
      return reject({ pointer: `/${this.#by}`, detail: `is required: ${plural} are matched by it` });
    if (others.length > 0)
      return reject({ pointer: `/${this.#by}`, detail: `several ${plural} have this ${this.#by}` });
    if (stored !== undefined) return stored.read(() => this.#meet(stored));
    if (mode !== 'update') return this.#create();
    return reject({ pointer: `/${this.#by}`, detail: `no ${name} has this ${this.#by}` });
  }

  #create(): Verdict {
    const { clock, ids } = this.#rules;
    const { builder } = this.#kind;
    const input = readInputOf(this.#kind, this.#row.value);
    const first = firstMeta(clock.now(), ids.version());
    const next = builder.assemble(input.id ?? ids.id(), input, restoreMeta(this.#given, first));
    const write = planWrite(this.#kind, next, input);
    if (input.id === undefined || this.#by === 'id') return written(write);
    return written({ ...write, takes: [...write.takes, { by: 'id', key: input.id }] });
  }

  #meet(there: StoredResource): Verdict {
    const id = givenId(this.#row.value);
    if (id !== undefined && id !== there.id)
      return reject({
        pointer: '/id',
        detail: `is not the id of the ${this.#kind.name} with this ${this.#by}`,
      });
    if (this.#isAsThere(there)) return unchanged;
    const input = this.#readChange(there);
    const { clock, ids, mode } = this.#rules;
    if (this.#isEqual(this.#kind.builder.print(there.id, input, there.meta, there), there)) return unchanged;
    const pointer = `/${this.#by}`;
    const earlier = this.#rules.findWriter?.(tokenOf({ by: 'id', key: there.id }));
    if (earlier !== undefined) return reject({ pointer, detail: `same ${this.#by} as ${earlier}` });
    const exists = `a ${this.#kind.name} with this ${this.#by} exists; if it is the same one, use --mode upsert to change it`;
    if (mode === 'create') return reject({ pointer, detail: exists });
    const following = nextMeta(there.meta, clock.now(), ids.version());
    const meta = restoreMeta(this.#given, following, there.meta);
    const next = this.#kind.builder.assemble(there.id, input, meta, there);
    return written(planWrite(this.#kind, next, input, there));
  }

  #readChange(there: StoredResource): Input {
    const { value, edit } = this.#row;
    if (edit === undefined) return readInputOf(this.#kind, value, there.value);
    const input = readInputOf(this.#kind, edit(there.copy()), there.value);
    if (input.id === undefined || input.id === there.id) return input;
    throw invalidResource(this.#kind.name, [{ pointer: '/id', detail: 'never changes' }]);
  }

  /** True for most rows of a repeated import. They are not validated: stored values need not pass the current rules. */
  #isAsThere(there: StoredResource): boolean {
    const { value, edit } = this.#row;
    if (edit !== undefined || !isObject(value)) return false;
    const whole: Record<string, unknown> = {};
    let known = 0;
    const inherited = this.#kind.inherit?.(there) ?? {};
    for (const member of Object.keys(this.#kind.schema.properties)) {
      if (Object.hasOwn(value, member)) known += 1;
      if (member === 'id') whole.id = givenId(value) ?? value.id ?? there.id;
      else if (member === 'meta') whole.meta = there.meta;
      else whole[member] = value[member] ?? inherited[member];
    }
    return (
      known === Object.keys(value).length &&
      JSON.stringify(whole) === there.text &&
      this.#hasGivenMeta(there.meta)
    );
  }

  /** Names in a map may be in another order. */
  #isEqual(next: StoredResource, there: StoredResource): boolean {
    const isSame =
      next.text === there.text ||
      (next.text.length === there.text.length && isDeepEqual(next.value, there.value));
    return isSame && this.#hasGivenMeta(there.meta);
  }

  #hasGivenMeta(meta: Meta): boolean {
    const { created = meta.created, lastModified = meta.lastModified } = this.#given;
    return created === meta.created && lastModified === meta.lastModified;
  }
}

interface Input {
  readonly id?: string;
}

const readInputOf = ({ builder }: Kind, value: unknown, stored?: Resource): Input =>
  builder.readInput(value, stored);
