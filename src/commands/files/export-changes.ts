/** The change log as rows of a file: the entries of `GET /history`, newest first, with old and new values. */
import { changeDocuments, toChangeDocument } from '../../adapters/apis/changes/documents.ts';
import { filterParameters, parseHistoryQuery } from '../../adapters/apis/changes/parameters.ts';
import { parseQuery } from '../../adapters/http/pipeline/query.ts';
import { type ChangeFilter, meets } from '../../domain/changes/filter.ts';
import { changeLogOf, readHistory } from '../../domain/changes/log.ts';
import type { FileKind } from '../../domain/import/memberships.ts';
import { type Kinds, kindsOf } from '../../domain/kinds.ts';
import type { Resource } from '../../domain/resource/resource.ts';
import { Stored } from '../../domain/resource/stored.ts';
import type { Store } from '../../domain/store.ts';

const plainKinds = kindsOf();
const { schema, types } = changeDocuments(plainKinds);

/** Replaces a kind, as `membershipFile` does. `import-changes.ts` reads it. Without declared attributes. */
export const changeFile = { name: 'change', plural: 'changes', shown: schema, kinds: plainKinds } as const;
export const changeTypes = types;
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
