/**
 * The texts of the page: one catalog for each language, in sections by what shows them. `en/` decides what a catalog has; a catalog in
 * another language with a text missing, or one too many, does not compile. A text with a number or a name in it is a function.
 */
import { de } from './de/index.ts';
import { type Catalog, en } from './en/index.ts';

const catalogs: Readonly<Record<string, Catalog>> = { en, de };

/** The first language of the browser that has a catalog: `en` or `de`. */
export const language =
  navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in catalogs) ?? 'en';

export const texts: Catalog = catalogs[language] ?? en;

document.documentElement.lang = language;
