/** The languages that have a catalog of texts, by their own names. The first one is the default. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const languageOf = (tag: string): Language | undefined =>
  (Object.keys(languages) as Language[]).find((one) => one === tag.slice(0, 2).toLowerCase());

/** The person's choice, which stays in the browser. Tests read the texts without one. */
const storageKey = 'console.language';
const chosen = languageOf(globalThis.localStorage?.getItem(storageKey) ?? '');

/** The browser's first language that has a catalog or was chosen, with its region: dates and numbers follow both. */
export const locale =
  navigator.languages.find((tag) => (chosen ? languageOf(tag) === chosen : languageOf(tag) !== undefined)) ??
  chosen ??
  'en';

/** All texts are made when the page loads. */
export function chooseLanguage(next: Language): void {
  localStorage.setItem(storageKey, next);
  location.reload();
}

export const language: Language = languageOf(locale) ?? 'en';

const numbers = new Intl.NumberFormat(locale);

/** `1,234` */
export const printNumber = (value: number): string => numbers.format(value);

const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });

/** In the reader's time zone, such as `2026-11-30`. */
export const dayOf = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

/** The same time of the day before, by the calendar: a day on which clocks are changed does not have 24 hours. */
export function daysAgo(days: number, now = Date.now()): Date {
  const date = new Date(now);
  date.setDate(date.getDate() - days);
  return date;
}

/** The beginning of a day in the reader's time zone, plus a number of days; undefined for a text that is not a day. */
export function startOfDay(day: string, later = 0): string | undefined {
  const date = new Date(`${day}T00:00`);
  if (Number.isNaN(date.getTime())) return undefined;
  date.setDate(date.getDate() + later);
  return date.toISOString();
}

/** `27 Nov 2026` */
export function printDay(day: string): string {
  const start = startOfDay(day);
  return start === undefined ? day : days.format(new Date(start));
}

/** For comparisons: without case, marks and spaces at the ends. */
export const fold = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
