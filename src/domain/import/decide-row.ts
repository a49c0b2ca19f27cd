/** Decides what one row of an import does, by the rules of the API. */

import { readInput, userBuilder } from '../at-import.ts';
import { DomainError, isCode, type Violation } from '../base/errors.ts';
import { isDeepEqual, isObject } from '../base/plain-values.ts';
import { type GivenMeta, readGivenMeta } from '../kinds/user/given-meta.ts';
import { User, type UserInput } from '../kinds/user/user.ts';
import { firstMeta, nextMeta, restoreMeta } from '../meta.ts';
import type { Stored } from '../resource/stored.ts';
import type { ImportRow, ImportRules, MatchMember } from './import-users.ts';
import { idOf, type Lookup, listTouched, lookupOf, nameOf, textOf } from './row-lookup.ts';

export interface RowWrite {
  readonly user: Stored<User>;
  /** The user that it replaces, if any. */
  readonly before?: Stored<User>;
  /** Values that must be unique. */
  readonly takes: readonly Lookup[];
  /** The user's keys, before and after. */
  readonly touches: readonly Lookup[];
}

export type Verdict =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'rejected'; readonly violations: readonly Violation[] }
  | { readonly kind: 'write'; readonly write: RowWrite };

const reject = (...violations: Violation[]): Verdict => ({ kind: 'rejected', violations });
const unchanged: Verdict = { kind: 'unchanged' };

/** @param there the users that the row's lookup found */
export function decideRow(row: ImportRow, there: readonly Stored<User>[], rules: ImportRules): Verdict {
  if (row.violations.length > 0) return reject(...row.violations);
  try {
    return new Decision(row, rules).decide(there);
  } catch (error) {
    if (error instanceof DomainError && isCode(error, 'invalid-user')) return reject(...error.violations);
    if (error instanceof DomainError && isCode(error, 'damaged'))
      return reject({ pointer: '', detail: error.message });
    throw error;
  }
}

class Decision {
  readonly #row: ImportRow;
  readonly #rules: ImportRules;
  readonly #given: GivenMeta;
  readonly #by: MatchMember;

  constructor(row: ImportRow, rules: ImportRules) {
    this.#row = row;
    this.#rules = rules;
    this.#given = rules.keepMeta ? readGivenMeta(row.value) : {};
    this.#by = lookupOf(row, rules)?.by ?? rules.match;
  }

  decide(there: readonly Stored<User>[]): Verdict {
    const { mode, match } = this.#rules;
    const [user, ...others] = there;
    if (match === 'externalId' && textOf(this.#row.value, match) === undefined)
      return reject({ pointer: '/externalId', detail: 'must be there: users are matched by it' });
    if (others.length > 0)
      return reject({ pointer: `/${this.#by}`, detail: `several users have this ${this.#by}` });
    if (user !== undefined) return user.read(() => this.#meet(user));
    if (mode !== 'update') return this.#create();
    return reject({ pointer: `/${this.#by}`, detail: `nobody has this ${this.#by}` });
  }

  #create(): Verdict {
    const { clock, ids } = this.#rules;
    const input = readInput(this.#row.value);
    const first = firstMeta(clock.now(), ids.version());
    const user = userBuilder.assemble(input.id ?? ids.id(), input, restoreMeta(this.#given, first));
    const takes: Lookup[] = [nameOf(input)];
    if (input.id !== undefined && this.#by !== 'id') takes.push({ by: 'id', key: input.id });
    return { kind: 'write', write: { user, takes, touches: listTouched(user.id, input) } };
  }

  #meet(there: Stored<User>): Verdict {
    const id = idOf(this.#row.value);
    if (id !== undefined && id !== there.id)
      return reject({ pointer: '/id', detail: `is not that of the user with this ${this.#by}` });
    if (this.#isAsThere(there)) return unchanged;
    const before = there.value;
    const input = this.#readChange(there);
    const { clock, ids, mode } = this.#rules;
    if (this.#isEqual(userBuilder.print(there.id, input, there.meta, there), there)) return unchanged;
    if (mode === 'create')
      return reject({
        pointer: `/${this.#by}`,
        detail: `a user with this ${this.#by} is there, and differs`,
      });
    const next = nextMeta(there.meta, clock.now(), ids.version());
    const meta = restoreMeta(this.#given, next, there.meta);
    const user = userBuilder.assemble(there.id, input, meta, there);
    const takes = nameOf(before).key === nameOf(input).key ? [] : [nameOf(input)];
    const touches = [...listTouched(there.id, input), ...listTouched(there.id, before)];
    return { kind: 'write', write: { user, before: there, takes, touches } };
  }

  #readChange(there: Stored<User>): UserInput {
    const { value, edit } = this.#row;
    if (edit === undefined) return readInput(value, there.value);
    const input = readInput(edit(there.copy()), there.value);
    if (input.id === undefined || input.id === there.id) return input;
    throw new DomainError('invalid-user', 'An id never changes.', {
      violations: [{ pointer: '/id', detail: 'never changes' }],
    });
  }

  /** Most rows of a repeated import: they need no validation, since stored values need not pass the current rules. */
  #isAsThere(there: Stored<User>): boolean {
    const { value, edit } = this.#row;
    if (edit !== undefined || !isObject(value)) return false;
    const whole: Record<string, unknown> = {};
    let known = 0;
    for (const member of membersInOrder) {
      if (Object.hasOwn(value, member)) known += 1;
      if (member === 'id') whole.id = idOf(value) ?? value.id ?? there.id;
      else if (member === 'meta') whole.meta = there.meta;
      else if (member === 'active') whole.active = value.active ?? there.value.active;
      else whole[member] = value[member];
    }
    return (
      known === Object.keys(value).length &&
      JSON.stringify(whole) === there.text &&
      this.#hasGivenMeta(there.meta)
    );
  }

  /** Names in a map may be in another order. */
  #isEqual(next: Stored<User>, there: Stored<User>): boolean {
    const isSame =
      next.text === there.text ||
      (next.text.length === there.text.length && isDeepEqual(next.value, there.value));
    return isSame && this.#hasGivenMeta(there.meta);
  }

  #hasGivenMeta(meta: User['meta']): boolean {
    const { created = meta.created, lastModified = meta.lastModified } = this.#given;
    return created === meta.created && lastModified === meta.lastModified;
  }
}

const membersInOrder = Object.keys(User.properties);
