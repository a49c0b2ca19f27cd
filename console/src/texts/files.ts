/** The texts of import and export, apart from the others: only views that are loaded later need them. */
import { type Language, language } from '../language.ts';
import { files as de } from './files/de.ts';
import { files as en } from './files/en.ts';

const catalogs: Readonly<Record<Language, typeof en>> = { en, de };

export const files = catalogs[language];
