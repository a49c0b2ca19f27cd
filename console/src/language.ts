/** The languages that have a catalog of texts; the first one is for browsers that ask for none of them. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

const languageOf = (tag: string): Language | undefined =>
  languages.find((one) => one === tag.slice(0, 2).toLowerCase());

/** The browser's first language that has a catalog, with its region: dates and numbers follow both. */
export const locale = navigator.languages.find((tag) => languageOf(tag) !== undefined) ?? languages[0];

export const language: Language = languageOf(locale) ?? languages[0];

const numbers = new Intl.NumberFormat(locale);

/** `1,234` */
export const printNumber = (value: number): string => numbers.format(value);
