/**
 * The texts of the page: one catalog for each language, in sections by what shows them. `en/` decides what a catalog has; a catalog in
 * another language with a text missing, or one too many, does not compile. A text with a number or a name in it is a function.
 */
import { type Language, language } from '../language.ts';
import { de } from './de/index.ts';
import { type Catalog, en } from './en/index.ts';

const catalogs: Readonly<Record<Language, Catalog>> = { en, de };

export const texts: Catalog = catalogs[language];
