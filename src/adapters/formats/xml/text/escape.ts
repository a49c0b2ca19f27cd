/**
 * The references of XML 1.0 (§4.1, §4.6) that need no declaration: the five predefined entities, and numeric character references. Readers
 * decode them; printers escape characters by them, as does the transcoder.
 */
import { foreignCharacter } from '../../../../domain/validation/schema-validator.ts';

const predefined: ReadonlyMap<string, string> = new Map(
  Object.entries({ '&lt;': '<', '&gt;': '>', '&amp;': '&', '&apos;': "'", '&quot;': '"' }),
);

/** `&#65;` or `&#x41;`. */
const numeric = /^&#(?:[0-9]+|x[0-9a-fA-F]+);$/;
const lastCodePoint = 0x10ffff;

/** Undefined for numbers of characters that XML doesn't allow, and for any other text. */
function toCharacter(reference: string): string | undefined {
  if (!numeric.test(reference)) return undefined;
  const code = Number((reference[2] === 'x' ? '0' : '') + reference.slice(2, -1));
  if (code > lastCodePoint) return undefined;
  const character = String.fromCodePoint(code);
  return foreignCharacter.test(character) ? undefined : character;
}

/** Undefined if an ampersand begins anything but such a reference. */
export function decodeReferences(raw: string): string | undefined {
  let decoded = '';
  let from = 0;
  for (let at = raw.indexOf('&'); at >= 0; at = raw.indexOf('&', from)) {
    const end = raw.indexOf(';', at) + 1;
    const reference = raw.slice(at, end);
    const character = predefined.get(reference) ?? toCharacter(reference);
    if (character === undefined) return undefined;
    decoded += raw.slice(from, at) + character;
    from = end;
  }
  return from === 0 ? raw : decoded + raw.slice(from);
}

const written: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#13;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
};
const toReference = (character: string): string => written[character] ?? character;

const special = /[&<>\r]/;

/** Readers turn a raw carriage return into a line feed (XML 1.0 §2.11), so it is escaped too. */
export const escapeText = (value: unknown): string => {
  const plain = typeof value === 'string' ? value : String(value);
  return special.test(plain) ? plain.replace(/[&<>\r]/g, toReference) : plain;
};

/** Readers turn raw tabs and line ends in attributes into spaces (XML 1.0 §3.3.3). */
export const escapeAttribute = (value: string): string => value.replace(/[&<>\r"\t\n]/g, toReference);
