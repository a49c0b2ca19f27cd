import { locale } from '../language.ts';

const print = new Intl.NumberFormat(locale);

/** `1,234` */
export const printNumber = (value: number): string => print.format(value);
