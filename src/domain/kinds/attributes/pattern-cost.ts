/**
 * How often a regular expression may try again on a client's text. JavaScript's engine tries every choice of repetitions and alternatives in
 * turn, so a careless pattern takes seconds for a text of a thousand characters, and nothing else is served meanwhile.
 */

/** The limit for all patterns of a file together: some 20 ms for the worst text. */
export const mostTries = 2_200_000;

const quantifier = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/;
/** An escape, a class, or another single character. Back references and properties of names look elsewhere. */
const single = /^(?:\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\[^1-9k]|\[(?:\\.|[^\]\\])*\]|[^\\[\](){}*+?|])/u;

interface Group {
  /** It has a choice inside, so that it can't be repeated. */
  hasChoice: boolean;
  branches: number;
}

/** How many lengths a repetition may have, and what follows it in the pattern. */
function readChoices(rest: string, maxLength: number): { choices: number; length: number } {
  const found = quantifier.exec(rest);
  if (found === null) return { choices: 1, length: 0 };
  const [whole, sign, from, comma, to] = found;
  const most = sign === '?' ? 1 : to ? Number(to) : maxLength;
  const least = sign === '+' ? 1 : sign === undefined ? Number(from) : 0;
  const choices = sign === undefined && comma === '' ? 1 : Math.min(most, maxLength) - least + 1;
  return { choices: Math.max(choices, 1), length: whole.length };
}

/** An upper bound of the tries for a text of this length. @returns the reason why there is no bound: the end of a mistake */
export function measurePattern(pattern: string, maxLength: number): number | string {
  try {
    new RegExp(pattern, 'u');
  } catch {
    return 'must be a regular expression';
  }
  const open: Group[] = [{ hasChoice: false, branches: 1 }];
  const top = (): Group => open.at(-1) as Group;
  // Without a beginning, it is tried at each character.
  let tries = pattern.startsWith('^') ? 1 : maxLength + 1;
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at);
    if (rest.startsWith('(')) {
      const [begin] = /^\((?:\?:)?(?!\?)/.exec(rest) ?? [];
      if (begin === undefined) return 'must not look around, or name its groups';
      open.push({ hasChoice: false, branches: 1 });
      at += begin.length;
      continue;
    }
    if (rest.startsWith('|')) {
      top().branches += 1;
      at += 1;
      continue;
    }
    const closed = rest.startsWith(')') ? open.pop() : undefined;
    const [one] = closed ? [')'] : (single.exec(rest) ?? []);
    if (one === undefined) return 'must not refer back to its groups';
    const { choices, length } = readChoices(rest.slice(one.length), maxLength);
    const isRepeated = choices > 1 || length > 0;
    if (closed && isRepeated && (closed.hasChoice || closed.branches > 1))
      return 'must not repeat a group that has repetitions or alternatives';
    tries *= choices * (closed?.branches ?? 1);
    top().hasChoice ||= choices > 1 || (closed !== undefined && (closed.hasChoice || closed.branches > 1));
    at += one.length + length;
  }
  return tries * top().branches;
}
