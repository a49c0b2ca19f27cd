/** Translates a regular expression of JSON Schema (ECMA-262) into one of XML Schema (XSD 1.0 part 2, appendix F). */

/** The characters of `\s` in ECMA-262 that XML has: XML Schema's own `\s` is the first four only. */
const whitespace =
  '\t\n\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

const escapes: Readonly<Record<string, string>> = {
  '\\s': whitespace,
  '\\d': '0-9',
  '\\t': '\t',
  '\\n': '\n',
  '\\r': '\r',
};

/** An escape for a set becomes a list of its members; an escaped character of syntax stays. @param inClass within `[` and `]` */
function translateEscape(pair: string, inClass: boolean): string {
  const set = escapes[pair];
  if (set !== undefined) return inClass ? set : `[${set}]`;
  if (/^\\[\\|.?*+(){}[\]^$/-]$/.test(pair)) return pair === '\\/' ? '/' : pair === '\\$' ? '$' : pair;
  throw new Error(`XML Schema has no ${pair} in a pattern`);
}

const token =
  /(?<group>\(\?:)|(?<escape>\\.)|(?<class>\[\^?(?:\\.|[^\]\\])*\])|(?<foreign>\(\?|[*+?}]\?|[\^$])|(?<plain>.)/gsu;

/** A literal hyphen is escaped, since XML Schema implementations disagree about where it may stand. */
function translateClass(text: string): string {
  const [, negation = '', body = ''] = /^\[(\^?)(.*)\]$/su.exec(text) ?? [];
  const members = body.replace(/\\./gu, (pair) => translateEscape(pair, true));
  return `[${negation}${members.replace(/^-|(?<!\\)-$/gu, '\\-')}]`;
}

/** XML Schema's patterns are implicitly anchored. @throws Error unless one branch stands between two anchors */
function stripAnchors(pattern: string): string {
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

/** @throws Error where XML Schema has no counterpart: look-around, lazy quantifiers, anchors within, back-references */
export function toXsdPattern(pattern: string): string {
  return stripAnchors(pattern).replace(token, (text, ...rest: unknown[]) => {
    const found = rest.at(-1) as Partial<Record<'group' | 'escape' | 'class' | 'foreign', string>>;
    if (found.foreign !== undefined) throw new Error(`XML Schema has no ${text} in a pattern`);
    if (found.group !== undefined) return '(';
    if (found.escape !== undefined) return translateEscape(text, false);
    return found.class === undefined ? text : translateClass(text);
  });
}
