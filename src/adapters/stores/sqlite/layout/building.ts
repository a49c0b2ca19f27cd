/**
 * Builds the indexes of attributes that were declared since the last start, and removes those of others, while the store serves. Each step is a
 * write of the writer's own, which gives some rows new keys as a replacement would. New writes make these keys at once, and a row repeats its keys
 * (tables.ts): so a step changes only what is missing, also after other writes, and an index that comes back is built again.
 *
 * The rules of the kind are followed by the indexes in question, removed ones with `-`; by the number of the last finished row; by the numbers of
 * the finished rows and of all rows. Each step reads and writes that: it outlives kills, and processes share the work.
 */
import { type Building, declaredChanges, describeBuilding } from '../../../../domain/find/building.ts';
import { type KeyRules, parseKeyRules, printKeyRules, withoutUnique } from '../../../../domain/find/keys.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import type { Connection } from '../file/connection.ts';
import { type Indexed, type IndexRows, printSorts } from './index-rows.ts';
import type { Tables } from './tables.ts';

/** Rows in one step, which takes some 10 ms. */
const atOnce = 100;

/** In ms: between two lines of the log. */
const lineInterval = 10_000;

interface State extends Building {
  readonly removed: readonly string[];
  /** The number of the last finished row. */
  readonly last: number;
}

const printBuilding = (current: string, { unbuilt, removed, last, done, all }: State): string =>
  [current, [...unbuilt, ...removed.map((index) => `-${index}`)], last, done, all].join(' ');

/** @param found the stored rules @returns undefined if these rules don't build in the background */
export function parseBuilding(found: string | undefined, current: string): State | undefined {
  if (!found?.startsWith(`${current} `)) return undefined;
  const [indexes = '', last, done, all] = found.slice(current.length + 1).split(' ');
  if (all === undefined) return undefined;
  const listed = indexes === '' ? [] : indexes.split(',');
  const isRemoved = (index: string): boolean => index.startsWith('-');
  return {
    unbuilt: listed.filter((index) => !isRemoved(index)),
    removed: listed.filter(isRemoved).map((index) => index.slice(1)),
    last: Number(last),
    done: Number(done),
    all: Number(all),
  };
}

/** @param found the stored rules @returns how to get from them to others; undefined if they differ in more than declared indexes */
function compareDeclared(found: string, keyRules: KeyRules): State | undefined {
  const made = parseKeyRules(found);
  const printed = printKeyRules(made);
  const before = parseBuilding(found, printed);
  if (before === undefined && found !== printed) return undefined;
  const whole = made.indexes.filter((index) => !before?.unbuilt.includes(index));
  const changes = declaredChanges({ ...made, indexes: whole }, keyRules);
  const left = [...(before?.unbuilt ?? []), ...(before?.removed ?? []), ...(changes?.removed ?? [])];
  const removed = [...new Set(left)].filter((index) => !keyRules.indexes.includes(index));
  return changes && { unbuilt: changes.added, removed, last: 0, done: 0, all: 0 };
}

/** As the rules differ for reads, which don't need to know what is unique. @param found the stored rules @returns as `compareDeclared` */
export const compareForReads = (found: string, { keyRules }: Kind): State | undefined =>
  compareDeclared(withoutUnique(found), parseKeyRules(withoutUnique(printKeyRules(keyRules))));

/** @param all counts the rows @returns the rules to store instead; undefined as of `compareDeclared` */
export function planBuilding(found: string, kind: Kind, all: () => number): string | undefined {
  const state = compareDeclared(found, kind.keyRules);
  return state && printBuilding(printKeyRules(kind.keyRules), { ...state, all: all() });
}

interface Row extends Indexed {
  readonly n: number;
  readonly id: string;
  readonly document: string;
}

const prepare = (db: Connection, { kind, rows, documentColumn }: Tables) => ({
  current: printKeyRules(kind.keyRules),
  rules: db.prepare<[], string>(`SELECT rules FROM key_rules WHERE kind = '${kind.name}'`).pluck(),
  setRules: db.prepare(`UPDATE key_rules SET rules = ? WHERE kind = '${kind.name}'`),
  // Rows of other programs stay as they are: the next start recognizes them.
  page: db.prepare<[number, number], Row>(
    `SELECT n, id, search, sorts, filters, ${documentColumn('u')} AS document
     FROM ${rows} AS u WHERE n > ? AND search IS NOT NULL ORDER BY n LIMIT ?`,
  ),
  put: db.prepare(`UPDATE ${rows} SET search = ?, sorts = ?, filters = ? WHERE n = ?`),
});

interface Indexes {
  readonly tables: Tables;
  readonly index: IndexRows;
}

type Part = Indexes & ReturnType<typeof prepare>;

export class IndexBuilder {
  readonly #parts: readonly Part[];
  /** Those whose indexes were not whole. */
  readonly #left = new Set<Part>();
  #line: string | undefined;
  #told = 0;

  constructor(db: Connection, all: readonly Indexes[]) {
    this.#parts = all.map(({ tables, index }) => ({ tables, index, ...prepare(db, tables) }));
    this.look();
  }

  /** Another process may have changed the rules. */
  look(): void {
    for (const part of this.#parts) if (parseBuilding(part.rules.get(), part.current)) this.#left.add(part);
  }

  get hasWork(): boolean {
    return this.#left.size > 0;
  }

  /** @returns whether there may be more to do */
  step(): boolean {
    const [part] = this.#left;
    const state = part && parseBuilding(part.rules.get(), part.current);
    if (part === undefined) return false;
    if (state !== undefined) this.#build(part, state);
    // The commit of the last step may have failed, so this is another one.
    else this.#left.delete(part);
    this.#note(part.tables.kind.plural, state);
    return this.hasWork;
  }

  #build({ tables, index, page, put, setRules, current }: Part, state: State): void {
    const { kind, read } = tables;
    const rows = page.all(state.last, atOnce);
    for (const row of rows) {
      const keys = kind.makeKeysOf(row.id, read(row.document));
      const [sorts, filters] = [printSorts(tables, keys.sorts), JSON.stringify(keys.filters)];
      if (keys.search === row.search && sorts === row.sorts && filters === row.filters) continue;
      index.change(row.id, row.n, row, keys);
      put.run(keys.search, sorts, filters, row.n);
    }
    const last = rows.at(-1)?.n;
    const done = state.done + rows.length;
    setRules.run(last === undefined ? current : printBuilding(current, { ...state, last, done }));
  }

  #note(plural: string, state: State | undefined): void {
    if (state && this.#told !== 0 && Date.now() - this.#told < lineInterval) return;
    this.#told = state ? Date.now() : 0;
    this.#line = state ? `${plural}: ${describeBuilding(state)}` : `${plural}: All indexes are built.`;
  }

  /** A line for the log about the steps so far, to be asked for after each commit; mostly undefined. */
  takeLine(): string | undefined {
    const line = this.#line;
    this.#line = undefined;
    return line;
  }
}
