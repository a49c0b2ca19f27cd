/**
 * The tables of each kind, and the SQL that makes them.
 *
 * `users` and `memberships`, for example, hold what the service stores; the other tables of a kind are derived from its rows (rebuild.ts). Each
 * index holds `n`, the number of the resource, from which searches make sets (search/). Numbers are never reused: if another program removes a row,
 * no later row inherits its keys. The columns `search`, `sorts` and `filters` repeat what was derived from the document beside them: so the filter
 * keys need no second index by resource, and a write parses only the new document.
 *
 * The members of a group are a numbered set. `groups.members` has its number, `memberships` the sets of each user, and `user_keys` the users of each
 * set, under the filter `byOwner`. A group that is removed, or gets other members as a whole, leaves its set behind: its number is not reused, no query
 * finds it, and its rows are removed in steps (write/members.ts).
 */

import { isDeclared } from '../../../../domain/find/building.ts';
import { byOwner } from '../../../../domain/find/owners.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import type { Kinds } from '../../../../domain/kinds.ts';
import { Stored } from '../../../../domain/resource/stored.ts';
import type { StoredResource } from '../../../../domain/store.ts';
import type { KindName } from '../../../../domain/validation/errors.ts';
import { createWords } from './words.ts';

/** The kind that has members, and the kind of its members. There is one such pair. */
export interface Relation {
  readonly owners: Names;
  readonly members: Names;
}

interface Names {
  readonly kind: Kind;
  readonly rows: string;
  readonly keys: string;
  readonly sortKeys: string;
  readonly counts: string;
  readonly words: string;
  /** The kind's sorts except those of declared attributes, in their order: their places are their numbers. */
  readonly ownSorts: readonly string[];
}

export interface Tables extends Names {
  readonly relation: Relation;
  readonly hasMembers: boolean;
  /** An SQL expression over a row of the table `u`, whose value `read` takes. */
  readonly documentColumn: (u: string) => string;
  readonly read: (read: string) => StoredResource;
}

export type AllTables = ReadonlyMap<KindName, Tables> & Pick<Tables, 'relation'>;

const namesOf = (kind: Kind): Names => ({
  kind,
  rows: kind.plural,
  keys: `${kind.name}_keys`,
  sortKeys: `${kind.name}_sort_keys`,
  counts: `${kind.name}_counts`,
  words: `${kind.name}_words`,
  ownSorts: kind.keptSorts.filter((sort) => !isDeclared(sort)),
});

const withoutMembers: Pick<Tables, 'documentColumn' | 'read'> = {
  documentColumn: (u) => `${u}.document`,
  read: (read) => new Stored(read),
};

const withMembers = ({ members }: Relation): Pick<Tables, 'documentColumn' | 'read'> => ({
  // The number of members, the revision and the document, with spaces between them.
  documentColumn: (u) =>
    `ifnull((SELECT count FROM ${members.counts} WHERE filter = '${byOwner}' AND key = CAST(${u}.members AS TEXT)), 0)
     || ' ' || ${u}.revision || ' ' || ${u}.document`,
  read(read) {
    const [memberCount = 0, revision = 0] = read.split(' ', 2).map(Number);
    return new Stored(read.slice(`${memberCount} ${revision} `.length), { memberCount, revision });
  },
});

export function tablesOf(kinds: Kinds): AllTables {
  const { owners, members } = kinds.relation;
  const relation = { owners: namesOf(owners), members: namesOf(members) };
  const all = kinds.all.map((kind): Tables => {
    const hasMembers = kind === owners;
    const document = hasMembers ? withMembers(relation) : withoutMembers;
    return { ...namesOf(kind), relation, hasMembers, ...document };
  });
  return Object.assign(new Map(all.map((tables) => [tables.kind.name, tables])), { relation });
}

const memberColumns = `
  members INTEGER UNIQUE,
  revision INTEGER NOT NULL DEFAULT 0,`;

const membershipTables = `
  CREATE TABLE memberships (n INTEGER NOT NULL, members INTEGER NOT NULL, PRIMARY KEY (n, members)) WITHOUT ROWID;
  CREATE TABLE member_sets (
    members INTEGER PRIMARY KEY AUTOINCREMENT,
    is_dropped INTEGER NOT NULL DEFAULT 0,
    -- The first and the last entry of the write that dropped it; NULL if it wasn't logged.
    ended INTEGER, ended_last INTEGER
  );
  CREATE INDEX dropped_sets ON member_sets (members) WHERE is_dropped;`;

export const createTables = (tables: Tables): string => `
  CREATE TABLE ${tables.rows} (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name_key TEXT NOT NULL UNIQUE,
    version TEXT NOT NULL,
    search TEXT,
    sorts TEXT,
    filters TEXT,${tables.hasMembers ? memberColumns : ''}
    document TEXT NOT NULL,
    CHECK (json_extract(document, '$.id') IS id AND json_extract(document, '$.meta.version') IS version)
  );
  CREATE INDEX ${tables.rows}_without_keys ON ${tables.rows} (n) WHERE search IS NULL;
  ${tables.hasMembers ? membershipTables : ''}
  ${createDerived(tables)}`;

export const createDerived = ({ keys, sortKeys, counts, words }: Names): string => `
  CREATE TABLE ${keys} (
    filter TEXT NOT NULL, key TEXT NOT NULL, id TEXT NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY (filter, key, id)
  ) WITHOUT ROWID;
  CREATE TABLE ${sortKeys} (
    sort INTEGER NOT NULL, key TEXT NOT NULL, id TEXT NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY (sort, key, id)
  ) WITHOUT ROWID;
  CREATE TABLE ${counts} (
    filter TEXT NOT NULL, key TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (filter, key)
  ) WITHOUT ROWID;
  ${createWords(words)};`;

export const dropDerived = ({ keys, sortKeys, counts, words }: Names): string =>
  [keys, sortKeys, counts, words].map((table) => `DROP TABLE ${table};`).join('');
