/**
 * The change log as rows of a file: the entries of `GET /history`, newest first, with old and new values. They are imported into an empty store. A
 * file doesn't say in which users' histories an entry stands: the store derives that. An interrupted import goes on when it is repeated.
 */
import type { TObject } from 'typebox';
import * as Type from 'typebox';
import Compile from 'typebox/compile';
import { changeDocuments, toChangeDocument } from '../../adapters/apis/changes/documents.ts';
import { filterParameters, parseHistoryQuery } from '../../adapters/apis/changes/parameters.ts';
import { type FileCodec, type FileRow, maxRowLength } from '../../adapters/formats/port/file-format.ts';
import { nameRow, withPlace } from '../../adapters/formats/port/mistakes.ts';
import { parseQuery } from '../../adapters/http/pipeline/query.ts';
import type { Actor, Change } from '../../domain/changes/change.ts';
import { isMovable, lowestIn, type MovableLog } from '../../domain/changes/copy-log.ts';
import { type ChangeFilter, meets } from '../../domain/changes/filter.ts';
import { changeLogOf, parseCursor, readHistory } from '../../domain/changes/log.ts';
import { fillingLine, type MovedEntry } from '../../domain/changes/moves.ts';
import { matchAll } from '../../domain/find/conditions.ts';
import type { FileKind } from '../../domain/import/memberships.ts';
import { type Kinds, kindsOf } from '../../domain/kinds.ts';
import type { Resource } from '../../domain/resource/resource.ts';
import { Stored } from '../../domain/resource/stored.ts';
import type { Store } from '../../domain/store.ts';
import { attributesMember } from '../../domain/validation/attribute-types.ts';
import type { KindName } from '../../domain/validation/errors.ts';
import { normalize } from '../../domain/validation/schema-validator.ts';
import { startProgress } from '../../process/output/progress.ts';
import { openSource } from './source.ts';
import type { FileWishes } from './take-resources.ts';

const plainKinds = kindsOf();
const { schema: shown, types } = changeDocuments(plainKinds);

/** Replaces a kind, as `membershipFile` does. Without declared attributes. */
export const changeFile = { name: 'change', plural: 'changes', shown, kinds: plainKinds } as const;
export type ChangeFile = typeof changeFile;
export type ExportKind = FileKind | ChangeFile;

/** With the attributes of the installation. */
export const changeFileOf = (kinds: Kinds): ChangeFile => ({
  ...changeFile,
  shown: changeDocuments(kinds).schema,
  kinds,
});

export const isChangeFile = (kind: ExportKind): kind is ChangeFile => kind.plural === changeFile.plural;

/** @throws Error with the messages of `GET /history` */
export const parseChangeFilter = (query: string): ChangeFilter =>
  parseHistoryQuery(
    parseQuery(query, { names: Object.keys(filterParameters(types)), whose: 'this history' }),
    types,
  ).filter;

/** @throws DomainError `unavailable`, `not-logged` */
export async function* listChanges(
  store: Store,
  filter: ChangeFilter,
): AsyncGenerator<readonly Stored<Resource>[]> {
  for await (const { entries, end } of readHistory(changeLogOf(store))) {
    const found = entries.filter((entry) => meets(entry, filter));
    yield found.map((entry) => new Stored<Resource>(JSON.stringify(toChangeDocument(entry, end.line))));
  }
}

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

/** Gives the attributes their types: in XML they are texts. */
function readTypes(values: object | undefined, { properties }: TObject): object | undefined {
  const [attributes, of] = [values && Reflect.get(values, attributesMember), properties[attributesMember]];
  if (attributes === undefined || of === undefined) return values;
  return { ...values, [attributesMember]: normalize(of, attributes).value ?? attributes };
}

/** Numbers and marks are those of the exported log. @param row by `looseSchema` @returns undefined if it isn't a change */
function toEntry(row: Row, { kinds }: ChangeFile): MovedEntry | undefined {
  const { cursor, at: date, by, via, request, ...rest } = row;
  const { label, before, after, memberships, ...change } = rest;
  const [place, at] = [parseCursor(cursor), Date.parse(date)];
  if (place === undefined || Number.isNaN(at) || !types.includes(change.type)) return undefined;
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
  options: FileWishes,
  { signal, openStore }: Surroundings,
): Promise<number> {
  const schema = Compile(looseSchema(changeFile));
  const source = await openSource(path, signal);
  const store = await openStore('begin', true);
  const progress = startProgress(changeFile, source.size);
  let [count, previous] = [0, Number.POSITIVE_INFINITY];
  const read = (row: FileRow): MovedEntry => {
    const isSound = row.violations.length === 0 && schema.Check(row.value);
    const entry = isSound ? toEntry(row.value as Row, kind) : undefined;
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
