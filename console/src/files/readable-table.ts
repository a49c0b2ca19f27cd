import { engine } from 'user-files';
import { dayOfInstant } from 'user-files/days';
import type { DelimiterName, Directory } from 'user-files/types';
import { zoneOf } from '../form/day-control.tsx';
import { locale, printDay } from '../language.ts';
import { choiceListOf, describeChoice } from '../picker/choices.ts';
import {
  describeMap,
  isList,
  isObject,
  type Json,
  type JsonObject,
  printBriefly,
  valueAt,
} from '../schema/documents.ts';
import { type Field, isStatus, isUserId } from '../schema/fields.ts';
import { days, managerPath, type Resource, titleOf } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';

/** As many as a browser opens connections to one host (HTTP/1.1). */
const mostRequests = 6;

/** Of a list, for its file. */
export interface ListColumn {
  /** Such as `name.familyName`. */
  readonly path: string;
  readonly label: string;
  readonly field: Field;
}

// The column of undeclared attributes, `attributes.`, has all.
const valueIn = (resource: Resource, { path }: ListColumn): Json | undefined =>
  valueAt(resource as unknown as JsonObject, path.split('.').filter(Boolean));

/** The user whom a value names by ID, if any. */
const userIn = (field: Field, value: Json | undefined): string | undefined => {
  const id = field.path === managerPath ? (value as JsonObject | undefined)?.value : isUserId(field) && value;
  return typeof id === 'string' && id !== '' ? id : undefined;
};

/** A table for people: what the list shows, each list with all of its values. */
export class ReadableTable {
  readonly #columns: readonly ListColumn[];
  readonly #directory: Directory;
  /** Names of the users that others refer to. A deleted user is shown by ID. */
  readonly #names = new Map<string, string>();

  constructor(columns: readonly ListColumn[], directory: Directory) {
    [this.#columns, this.#directory] = [columns, directory];
  }

  /** @returns the number of rows */
  async write(
    pages: AsyncIterable<readonly Resource[]>,
    delimiter: DelimiterName,
    write: (text: string) => Promise<void>,
  ): Promise<number> {
    let written = 0;
    await write(engine.printTable([this.#columns.map(({ label }) => label)], delimiter));
    for await (const page of pages) {
      await this.#readNames(page);
      // Only the header begins with a byte order mark.
      await write(
        engine
          .printTable(
            page.map((resource) => this.#toCells(resource)),
            delimiter,
          )
          .slice(1),
      );
      written += page.length;
    }
    return written;
  }

  async #readNames(page: readonly Resource[]): Promise<void> {
    const named = page.flatMap((resource) =>
      this.#columns.map((column) => userIn(column.field, valueIn(resource, column))),
    );
    const ids = [...new Set(named)].filter((id) => id !== undefined && !this.#names.has(id)) as string[];
    const read = async (): Promise<void> => {
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
        const user = await this.#directory.read(id, 'user');
        this.#names.set(id, user === undefined ? id : titleOf(user as unknown as Resource));
      }
    };
    await Promise.all(Array.from({ length: mostRequests }, read));
  }

  #toCells(resource: Resource): readonly string[] {
    return this.#columns.map((column) =>
      column.path === 'displayName'
        ? titleOf(resource)
        : this.#printCell(column.field, valueIn(resource, column), resource),
    );
  }

  #printCell(field: Field, value: Json | undefined, user: Resource): string {
    if (value === undefined || value === null) return '';
    const named = this.#names.get(userIn(field, value) ?? '');
    if (named !== undefined) return named;
    if (typeof value === 'boolean')
      return (isStatus(field) ? texts.list.status : texts.change.flags)[`${value}`];
    if (isList(value)) return value.map(printBriefly).join('; ');
    if (isObject(value))
      return field.path === managerPath ? String(value.displayName ?? '') : describeMap(value);
    if (field.kind === 'text' && field.isTime) return printTime(field.path, String(value), user);
    if (field.kind === 'text' && field.type === 'date') return printDay(String(value));
    const list = choiceListOf(field.path);
    return list ? describeChoice(list, String(value)) : String(value);
  }
}

const printTime = (path: string, at: string, user: Resource): string =>
  path in days
    ? printDay(dayOfInstant(at, days[path] ?? 'end', zoneOf(user)) ?? at)
    : new Date(at).toLocaleString(locale);
