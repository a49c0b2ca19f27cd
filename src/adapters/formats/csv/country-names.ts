/** Finds the code of a country by its name, as the platform knows the names in the languages of most tables. */
import { simplify } from '../../../domain/validation/suggest.ts';

const languages = [
  ...[
    'en',
    'de',
    'fr',
    'es',
    'it',
    'nl',
    'pt',
    'pl',
    'cs',
    'sk',
    'hu',
    'ro',
    'bg',
    'hr',
    'sl',
    'sv',
    'da',
    'nb',
    'fi',
  ],
  ...['tr', 'el', 'ru', 'uk', 'ja', 'zh', 'ko'],
];
const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
/** What people call them, and platforms do not or no longer. */
const usual = {
  ...{
    usa: 'US',
    unitedstatesofamerica: 'US',
    england: 'GB',
    scotland: 'GB',
    wales: 'GB',
    greatbritain: 'GB',
  },
  ...{ holland: 'NL', thenetherlands: 'NL', czechrepublic: 'CZ', turkey: 'TR', russianfederation: 'RU' },
  ...{ macedonia: 'MK', swaziland: 'SZ', burma: 'MM', ivorycoast: 'CI', republicofireland: 'IE' },
};

let known: ReadonlyMap<string, string> | undefined;

function readNames(): ReadonlyMap<string, string> {
  const names = new Map<string, string>(Object.entries(usual));
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
