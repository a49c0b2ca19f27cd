/**
 * Imports the change log of a file that `export --kind changes` wrote, newest first, into an empty store. A file doesn't say in which users'
 * histories an entry stands: the store derives that. An interrupted import goes on when it is repeated.
 */
import type { TObject } from 'typebox';
import * as Type from 'typebox';
import Compile from 'typebox/compile';
import {
  type FileCodec,
  type FileReadOptions,
  type FileRow,
  maxRowLength,
} from '../../adapters/formats/port/file-format.ts';
import { nameRow, withPlace } from '../../adapters/formats/port/mistakes.ts';
import type { Actor, Change } from '../../domain/changes/change.ts';
import { isMovable, lowestIn, type MovableLog } from '../../domain/changes/copy-log.ts';
import { parseCursor } from '../../domain/changes/log.ts';
import { fillingLine, type MovedEntry } from '../../domain/changes/moves.ts';
import { matchAll } from '../../domain/find/conditions.ts';
import { kindsOf } from '../../domain/kinds.ts';
import type { Store } from '../../domain/store.ts';
import { attributesMember } from '../../domain/validation/attribute-types.ts';
import type { KindName } from '../../domain/validation/errors.ts';
import { normalize } from '../../domain/validation/schema-validator.ts';
import { startProgress } from '../../process/output/progress.ts';
import { type ChangeFile, changeFile, changeTypes } from './export-changes.ts';
import { openSource } from './source.ts';

type Row = Omit<Change, 'values'> &
  Partial<NonNullable<Change['values']>> &
  Omit<Actor, 'client' | 'person'> & {
    readonly cursor: string;
    readonly at: string;
    readonly by: Pick<Actor, 'client' | 'person'>;
  };

/** What the command provides for a run. */
interface Surroundings {
  readonly signal: AbortSignal;
  /** The command closes the store. */
  openStore(ifAbsent: 'begin', mayFill: true): Promise<Store>;
}

/** An entry with 10,000 memberships has 400 KB. */
const longestRow = 8 * maxRowLength;

const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);
const Attribute = Type.Union([Value, Type.Array(Value)]);

/** Values of attributes may be older than their declaration. */
function looseSchema({ shown }: ChangeFile): TObject {
  const loose = (member: 'before' | 'after') => {
    const values = shown.properties[member] as TObject;
    const { [attributesMember]: texts } = values.properties;
    const [name = ''] = Object.keys((texts as { patternProperties?: object }).patternProperties ?? {});
    const attributes = Type.Optional({ ...texts, patternProperties: { [name]: Attribute } });
    return { ...values, properties: { ...values.properties, [attributesMember]: attributes } };
  };
  const properties = { ...shown.properties, before: loose('before'), after: loose('after') };
  return { ...shown, properties };
}

const schema = Compile(looseSchema(changeFile));

/** Gives the attributes their types: in XML they are texts. */
function readTypes(values: object | undefined, { properties }: TObject): object | undefined {
  const [attributes, of] = [values && Reflect.get(values, attributesMember), properties[attributesMember]];
  if (attributes === undefined || of === undefined) return values;
  return { ...values, [attributesMember]: normalize(of, attributes).value ?? attributes };
}

/** Numbers and marks are those of the exported log. @returns undefined for a row that isn't a change */
function toEntry(value: unknown, { kinds }: ChangeFile): MovedEntry | undefined {
  if (!schema.Check(value)) return undefined;
  const { cursor, at: date, by, via, request, ...rest } = value as unknown as Row;
  const { label, before, after, memberships, ...change } = rest;
  const [place, at] = [parseCursor(cursor), Date.parse(date)];
  if (place === undefined || Number.isNaN(at) || !changeTypes.includes(change.type)) return undefined;
  const { number, mark } = place;
  const of = kinds.of(change.type.slice(0, change.type.indexOf('.')) as KindName).schema;
  const [old, now] = [readTypes(before, of), readTypes(after, of)];
  const values = label === undefined ? undefined : { label, before: old, after: now, memberships };
  return { ...change, number, mark, at, by: { ...by, via, request }, values } as MovedEntry;
}

interface Filling {
  readonly log: MovableLog;
  /** Where the exported log ends. */
  readonly newest: MovedEntry;
  /** Entries with lower numbers are missing. */
  readonly below: number;
}

/** @throws Error when the store isn't empty */
async function beginFilling(store: Store, newest: MovedEntry): Promise<Filling> {
  const { changes: log } = store;
  if (!isMovable(log)) throw new Error('the store keeps no change log: changes.retention is 0');
  const line = fillingLine(`${newest.number} ${newest.mark}`);
  if ((await log.read('now', 1)).end.line !== line) {
    const firsts = kindsOf().all.map(({ name }) => store.page(name, { where: matchAll, limit: 1 }));
    const isEmpty = (await Promise.all(firsts)).every(({ items }) => items.length === 0);
    if (!isEmpty || !(await log.moves.begin(line)))
      throw new Error('changes are imported into an empty store only');
  }
  return { log, newest, below: (await lowestIn(log)) ?? Number.POSITIVE_INFINITY };
}

/** @returns the number of changes @throws Error naming the row that can't be imported */
export async function importChanges(
  path: string,
  kind: ChangeFile,
  codec: FileCodec<unknown>,
  options: Pick<FileReadOptions, 'encoding' | 'delimiter' | 'spreadsheet' | 'takesLastLine'>,
  { signal, openStore }: Surroundings,
): Promise<number> {
  const source = await openSource(path, signal);
  const store = await openStore('begin', true);
  const progress = startProgress(changeFile, source.size);
  let [count, previous] = [0, Number.POSITIVE_INFINITY];
  const read = (row: FileRow): MovedEntry => {
    const entry = row.violations.length === 0 ? toEntry(row.value, kind) : undefined;
    if (entry === undefined)
      throw new Error(`${source.name}: ${nameRow(codec, row)}: is not an exported change`);
    if (entry.number >= previous)
      throw new Error(`the entry ${entry.number} is not older than the one before it`);
    previous = entry.number;
    return entry;
  };
  try {
    let filling: Filling | undefined;
    for await (const rows of codec.read(source.chunks(), { ...options, maxRowLength: longestRow })) {
      signal.throwIfAborted();
      const entries = rows.map(read);
      const [first] = entries;
      if (first === undefined) continue;
      filling ??= await beginFilling(store, first);
      const { log, below } = filling;
      const missing = entries.filter(({ number }) => number < below);
      if (missing.length > 0) await log.moves.take(missing);
      count += entries.length;
      progress.update(count, source.bytesRead);
    }
    await filling?.log.moves.end(filling.newest, true);
    return count;
  } catch (error) {
    throw withPlace(error, source.name, codec);
  } finally {
    progress.stop();
    source.close();
  }
}
