/** A dry run that refuses what only the service refuses, whose writes check more than a store's: attributes that name a user who is not there. */
import { DryRun } from '../../domain/import/dry-run.ts';
import type { ImportTarget } from '../../domain/import/import-options.ts';
import { findLost, type Kind, type UserReference } from '../../domain/kinds/kind.ts';
import type { Actor, Outcome, Write } from '../../domain/store.ts';
import { invalidResource } from '../../domain/validation/errors.ts';

/** The users that the write names and that the resource did not name before. */
export function referencesOf({ references }: Kind, write: Write): readonly UserReference[] {
  if (references === undefined || !('next' in write)) return [];
  return references(write.next.value, write.op === 'replace' ? write.before.value : undefined);
}

export class CheckedDryRun extends DryRun {
  readonly #kind: Kind;

  constructor(store: ImportTarget, scratch: ImportTarget, kind: Kind) {
    super(store, scratch, kind);
    this.#kind = kind;
  }

  /** A user may be created by an earlier one of the writes. */
  override async commit(writes: readonly Write[], by: Actor): Promise<readonly Outcome[]> {
    const wanted = writes.flatMap((write) => referencesOf(this.#kind, write).map(({ id }) => id));
    const there = new Set((await this.findAll('user', [...new Set(wanted)])).keys());
    const refused = new Map<Write, Outcome>();
    for (const write of writes) {
      const lost = findLost(referencesOf(this.#kind, write), there);
      if (lost.length > 0) refused.set(write, invalidResource(this.#kind.name, lost));
      else if (write.kind === 'user') there.add(write.id);
    }
    const taken = writes.filter((write) => !refused.has(write));
    const outcomes = await super.commit(taken, by);
    const outcomeOf = new Map(taken.map((write, at) => [write, outcomes[at]] as const));
    return writes.map((write) => refused.get(write) ?? outcomeOf.get(write) ?? 'stale');
  }
}
