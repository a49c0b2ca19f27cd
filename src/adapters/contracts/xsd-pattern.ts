/** From a regular expression as JSON Schema has it (ECMA-262) to one of XML Schema (XSD 1.0 part 2, appendix F). */

/** What `\s` stands for in ECMA-262, of the characters that XML has: XML Schema's own is but the first four. */
const white =
  '\t\n\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

const escapes: Readonly<Record<string, string>> = {
  '\\s': white,
  '\\d': '0-9',
  '\\t': '\t',
  '\\n': '\n',
  '\\r': '\r',
};

/** An escape within a class or outside of it: a set by its members, a character of syntax as it stands. */
function escaped(pair: string, inClass: boolean): string {
  const set = escapes[pair];
  if (set !== undefined) return inClass ? set : `[${set}]`;
  if (/^\\[\\|.?*+(){}[\]^$/-]$/.test(pair)) return pair === '\\/' ? '/' : pair === '\\$' ? '$' : pair;
  throw new Error(`XML Schema has no ${pair} in a pattern`);
}

const token =
  /(?<group>\(\?:)|(?<escape>\\.)|(?<class>\[\^?(?:\\.|[^\]\\])*\])|(?<foreign>\(\?|[*+?}]\?|[\^$])|(?<plain>.)/gsu;

/** A class; a hyphen that stands for itself is escaped, since readers of XML Schema differ about where it may stand. */
function characterClass(text: string): string {
  const [, negation = '', body = ''] = /^\[(\^?)(.*)\]$/su.exec(text) ?? [];
  const members = body.replace(/\\./gu, (pair) => escaped(pair, true));
  return `[${negation}${members.replace(/^-|(?<!\\)-$/gu, '\\-')}]`;
}

/** Where anchors leave nothing out: the pattern as a whole has one at each end, around one branch. */
function unanchored(pattern: string): string {
  const [, inner] = /^\^(.*)\$$/su.exec(pattern) ?? [];
  const flat = inner?.replace(token, (text) => (text.length === 1 || text === '(?:' ? text.slice(0, 1) : ''));
  let depth = 0;
  const branches = [...(flat ?? '|')].some((character) => {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    return character === '|' && depth === 0;
  });
  if (inner === undefined || branches) throw new Error(`a pattern is to be ^one branch$, unlike ${pattern}`);
  return inner;
}

/** @throws Error for what XML Schema cannot say: look-around, lazy quantifiers, anchors within, back-references */
export function xsdPattern(pattern: string): string {
  return unanchored(pattern).replace(token, (text, ...rest: unknown[]) => {
    const found = rest.at(-1) as Partial<Record<'group' | 'escape' | 'class' | 'foreign', string>>;
    if (found.foreign !== undefined) throw new Error(`XML Schema has no ${text} in a pattern`);
    if (found.group !== undefined) return '(';
    if (found.escape !== undefined) return escaped(text, false);
    return found.class === undefined ? text : characterClass(text);
  });
}
