/** Reads the tokens of a filter or path one at a time, so that the rest of a hostile text after an error costs nothing. */
import { readJson } from '../../../../domain/validation/plain-values.ts';
import { SyntaxFault } from './syntax.ts';

/** Words are attribute names, operators, `and`, `or`, `not`, `true`, `false` and `null`. */
export interface Token {
  readonly kind: 'word' | 'string' | '(' | ')' | '[' | ']' | 'end';
  /** For a string: its value, without quotes and escapes. */
  readonly text: string;
  /** Zero-based. */
  readonly at: number;
  /** White space precedes it. */
  readonly isSpaced: boolean;
}

export interface Tokens {
  /** Returns the next token without consuming it. @throws SyntaxFault */
  peek(): Token;
  /** @throws SyntaxFault */
  next(): Token;
}

const whiteSpace = /[ \t\r\n]*/y;
/** A sub-attribute after a value path begins with a dot; `$ref` with a dollar sign (RFC 7643 §2.1). */
const word = /[A-Za-z0-9$_.:-]+(?:(?<=[\d.][eE])\+\d+)?/y;
/** RFC 8259 §7, without checking escapes, which `JSON.parse` does. */
const string = /"(?:[^"\\\p{Cc}]|\\[^\p{Cc}]|[\x7f-\x9f])*"/uy;
const brackets: ReadonlySet<string> = new Set(['(', ')', '[', ']']);

const isBracket = (text: string): text is '(' | ')' | '[' | ']' => brackets.has(text);

/** @param at zero-based */
export const fault = (detail: string, at: number): SyntaxFault =>
  new SyntaxFault(`At character ${at + 1}: ${detail}.`, at + 1);

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function unquote(literal: string, at: number): string {
  const unquoted = readJson(literal);
  if (typeof unquoted !== 'string') throw fault('this text has an escape that JSON does not know', at);
  // No user has a lone surrogate, and it would match half of a character.
  if (!unquoted.isWellFormed()) throw fault('this text has half of a surrogate pair', at);
  return unquoted;
}

/** @throws SyntaxFault */
function readToken(text: string, from: number): { readonly token: Token; readonly end: number } {
  const at = from + (matchAt(whiteSpace, text, from)?.length ?? 0);
  const place = { at, isSpaced: at > from };
  const first = text.charAt(at);
  if (first === '') return { token: { kind: 'end', text: '', ...place }, end: at };
  if (isBracket(first)) return { token: { kind: first, text: first, ...place }, end: at + 1 };
  if (first === '"') {
    const literal = matchAt(string, text, at);
    if (literal === undefined) throw fault('this text has no end, or a control character', at);
    const end = at + literal.length;
    if (matchAt(word, text, end) !== undefined) throw fault('a space is missing', end);
    return { token: { kind: 'string', text: unquote(literal, at), ...place }, end };
  }
  const found = matchAt(word, text, at);
  if (found === undefined)
    throw fault('unexpected character; texts need double quotes, and operators are words such as eq', at);
  const end = at + found.length;
  if (text.charAt(end) === '"') throw fault('a space is missing', end);
  return { token: { kind: 'word', text: found, ...place }, end };
}

export function readTokens(text: string): Tokens {
  let end = 0;
  let ahead: Token | undefined;
  const peek = (): Token => {
    if (ahead === undefined) ({ token: ahead, end } = readToken(text, end));
    return ahead;
  };
  const next = (): Token => {
    const token = peek();
    ahead = undefined;
    return token;
  };
  return { peek, next };
}
