/** The references of XML 1.0 (§4.1, §4.6) that need no declaration: the five predefined entities, and numeric character references. */
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
