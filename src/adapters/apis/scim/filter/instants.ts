/** Instants in xsd:dateTime format (RFC 7643 §2.3.5), comparable in any zone and precision. */
import { IsDate } from 'typebox/format';

const dateTime =
  /^((?!0000)\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\d)(?:\.(\d{1,3})(\d*))?(Z|[+-](?:(?:0\d|1[0-3]):\d\d|14:00))?$/;

/**
 * In ms since 1970. Stored instants have whole milliseconds, so that half of one stands for all digits beyond. Without a zone it is UTC, like all
 * times of the service.
 * @returns NaN, which is neither before nor after an instant, for a text that isn't an xsd:dateTime of the years 0001 to 9999
 */
export function parseInstant(text: string): number {
  const [, day = '', time = '', digits = '', beyond = '', zone = 'Z'] = dateTime.exec(text) ?? [];
  const ms = IsDate(day) ? Date.parse(`${day}${time}.${digits.padEnd(3, '0')}${zone}`) : Number.NaN;
  return /[1-9]/.test(beyond) ? ms + 0.5 : ms;
}

/** False if it lies between two that can be stored. */
export const isStorable: (instant: number) => boolean = Number.isInteger;

/** As stored; the next one that can be stored if it can't. */
export const printInstant = (instant: number): string => new Date(Math.ceil(instant)).toISOString();
