/**
 * Days as spreadsheets write them: `31.12.2026`, `12/31/2026`, `2026/12/31`.
 *
 * Whether the day or the month comes first follows from the column: from its first batch with a day such as 31/12/2026, which has one reading.
 * A column in which each day has two, such as 1/2/2026, is read as the person says, or with the day first if all of its days have dots: no
 * country writes the month first with dots. Other days with two readings are refused.
 */
import { IsDate } from 'typebox/format';
import { beInstant } from '../../../domain/validation/attribute-types.ts';
import { type DayOrder, dayOrders } from '../port/file-format.ts';

const midnight = '(?: 0?0:00(?::00)?)?';
const yearLast = new RegExp(`^(\\d{1,2})([./-])(\\d{1,2})\\2(\\d{4})${midnight}$`);
const yearFirst = new RegExp(`^(\\d{4})([./-])(\\d{1,2})\\2(\\d{1,2})${midnight}$`);

/** False for a row without days that have an order to find: its cells needn't be split for it. */
export const hasYearLast = (row: string): boolean => /\b\d{1,2}[./-]\d{1,2}[./-]\d{4}\b/.test(row);

/** @returns undefined for a day that the calendar doesn't have */
function dayOf(year = '', month = '', day = ''): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return IsDate(text) ? text : undefined;
}

interface WrittenDay extends Readonly<Partial<Record<DayOrder, string | undefined>>> {
  readonly isDotted: boolean;
}

/** @returns undefined for a text without the form of a day */
function readDay(text: string): WrittenDay | undefined {
  const [, year, , month, day] = yearFirst.exec(text) ?? [];
  const iso = dayOf(year, month, day);
  if (year !== undefined) return { isDotted: false, 'day-first': iso, 'month-first': iso };
  const [, first, separator, second, last] = yearLast.exec(text) ?? [];
  if (last === undefined) return undefined;
  const isDotted = separator === '.';
  return { isDotted, 'day-first': dayOf(last, second, first), 'month-first': dayOf(last, first, second) };
}

/** A cell may have several. */
const split = (cell: string): readonly string[] => cell.split('|').map((part) => part.trim());

/** The order that the day must have. */
const orderOf = (written: WrittenDay): DayOrder | undefined => {
  const [one, ...others] = dayOrders.filter((order) => written[order] !== undefined);
  return others.length > 0 ? undefined : one;
};

const isDoubtful = (written: WrittenDay): boolean =>
  orderOf(written) === undefined && written['day-first'] !== written['month-first'];

/** The days of one column. */
export class WrittenDays {
  readonly #chosen: DayOrder | undefined;
  #found: DayOrder | undefined;
  isSettled = false;

  /** @param chosen the person's order, for days with two readings */
  constructor(chosen: DayOrder | undefined) {
    this.#chosen = chosen;
  }

  /** Undefined as long as days with two readings are refused. */
  get order(): DayOrder | undefined {
    return this.#found ?? this.#chosen;
  }

  /** @param cells of the next rows, before they are read */
  learn(cells: readonly string[]): void {
    const written = cells.flatMap(split).flatMap((text) => readDay(text) ?? []);
    const orders = new Set(written.flatMap((one) => orderOf(one) ?? []));
    const doubtful = written.filter(isDoubtful);
    const isDotted = doubtful.length > 0 && doubtful.every((one) => one.isDotted);
    if (orders.size === 1) [this.#found] = orders;
    else if (orders.size === 0 && isDotted) this.#found = this.#chosen ?? 'day-first';
    this.isSettled = orders.size > 0 || this.#found !== undefined;
  }

  /** @returns the cell with days as ISO 8601 writes them; unchanged where it has no day with one reading */
  read(cell: string): string {
    const texts = split(cell);
    const days = texts.map((text) => this.#meaning(readDay(text)));
    const isUnchanged = days.every((day) => day === undefined);
    return isUnchanged ? cell : days.map((day, at) => day ?? texts[at]).join('|');
  }

  #meaning(written: WrittenDay | undefined): string | undefined {
    if (written === undefined) return undefined;
    const order = this.order ?? orderOf(written);
    return order === undefined && isDoubtful(written) ? undefined : written[order ?? 'day-first'];
  }

  /** @param item the number of the day in a cell with several, from 0 on @param detail what is wrong @returns undefined if it says enough */
  explain(cell: string, item: number, detail: string): string | undefined {
    if (!/^must be a date\b/.test(detail)) return undefined;
    const written = readDay(split(cell)[item] ?? '');
    if (written === undefined) return undefined;
    if (this.#meaning(written) !== undefined)
      return detail.endsWith(beInstant) ? 'is a day in a time zone that does not exist' : undefined;
    if (isDoubtful(written))
      return 'may begin with its day or its month: --dates day-first or --dates month-first says which';
    if (orderOf(written) === undefined) return 'there is no such day';
    const [first] = (this.order ?? '').split('-');
    return `there is no such day with the ${first} first, as chosen or in other rows`;
  }
}
