import { locale } from '../language.ts';

const print = new Intl.NumberFormat(locale);

/** `1,234` */
export const printNumber = (value: number): string => print.format(value);

/** `1 user`, `1,234 users` */
export const countOf = (count: number, noun: string): string =>
  `${printNumber(count)} ${count === 1 ? noun : `${noun}s`}`;
