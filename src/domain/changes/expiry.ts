/**
 * How many of the oldest entries are too old. They are removed in the order of the log, and their times are those of clocks that can have been
 * wrong for a while: an entry may be dated later than all that follow, or earlier than all in front. So the end is put where it contradicts the
 * fewest: young entries in front of it, old ones behind it.
 * @param entries in order, without those dated later than now @param from those that are older are too old
 */
export function countExpired(entries: readonly { readonly at: number }[], from: number): number {
  let [count, balance, best] = [0, 0, 0];
  for (const [before, { at }] of entries.entries()) {
    const isOld = at < from;
    balance += isOld ? 1 : -1;
    if (!isOld || balance < best) continue;
    best = balance;
    count = before + 1;
  }
  return count;
}

/** Numbers that are looked through for entries that aren't dated later than now. */
export const mostAhead = 100_000;
