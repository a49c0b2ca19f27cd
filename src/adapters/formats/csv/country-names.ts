/** Finds the code of a country by its name, as the platform knows the names in the languages of most tables. */
import { simplify } from '../../../domain/validation/suggest.ts';

const languages = 'en de fr es it nl pt pl cs sk hu ro bg hr sl sv da nb fi tr el ru uk ja zh ko'.split(' ');
const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
/** Names, simplified, that people use and platforms don't, by code. */
const usual: Readonly<Record<string, string>> = {
  US: 'usa unitedstatesofamerica',
  GB: 'england scotland wales greatbritain',
  NL: 'holland thenetherlands',
  ...{ CZ: 'czechrepublic', TR: 'turkey', RU: 'russianfederation', MK: 'macedonia' },
  ...{ SZ: 'swaziland', MM: 'burma', CI: 'ivorycoast', IE: 'republicofireland' },
};

let known: ReadonlyMap<string, string> | undefined;

function readNames(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [code, called] of Object.entries(usual))
    for (const name of called.split(' ')) names.set(name, code);
  const codes = letters.flatMap((one) => letters.map((other) => one + other));
  for (const language of languages)
    for (const style of ['long', 'short'] as const) {
      const regions = new Intl.DisplayNames(language, { type: 'region', style, fallback: 'none' });
      for (const code of codes) {
        const name = regions.of(code);
        // An old code, such as DD, has the name of its successor.
        const current = new Intl.Locale(`und-${code}`).region ?? code;
        if (name !== undefined && !names.has(simplify(name))) names.set(simplify(name), current);
      }
    }
  return names;
}

/** @returns the text itself where it is no name of a country */
export function readCountry(text: string): string {
  if (text.length <= 2) return text;
  known ??= readNames();
  return known.get(simplify(text)) ?? text;
}
