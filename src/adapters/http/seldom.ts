/** Lines of the log that anybody can cause: each kind is told at once, and then counted and told once in a while. */

/** In ms. */
const interval = 10_000;

/** How many kinds are told apart at a time: a kind may be made from an error's words, and those from what a client sent. */
const mostKinds = 50;

/** @param count how often it happened since the line before */
export type Tell = (count: number) => void;

interface Kind {
  count: number;
  /** That of the latest. */
  tell: Tell;
}

/** The first of a kind is told at once; those after it every `every` ms with their number, until there are none for as long. */
export function seldom(every = interval): (kind: string, tell: Tell) => void {
  const kinds = new Map<string, Kind>();

  function look(name: string, kind: Kind): void {
    if (kind.count === 0) {
      kinds.delete(name);
      return;
    }
    const { count } = kind;
    kind.count = 0;
    later(name, kind);
    kind.tell(count);
  }

  function later(name: string, kind: Kind): void {
    setTimeout(() => look(name, kind), every).unref();
  }

  return (given, tell) => {
    const name = kinds.has(given) || kinds.size < mostKinds ? given : '';
    const known = kinds.get(name);
    if (known !== undefined) {
      known.count += 1;
      known.tell = tell;
      return;
    }
    const kind = { count: 0, tell };
    kinds.set(name, kind);
    later(name, kind);
    tell(1);
  };
}
