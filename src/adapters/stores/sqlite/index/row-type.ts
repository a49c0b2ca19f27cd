/** The rows of one kind of resource: their tables, and how a document is read from them. */
import type { FilterName } from '../../../../domain/find/filters.ts';
import { groupKind, type Keys, type Kind, userKind } from '../../../../domain/find/keys.ts';
import type { GroupDocument } from '../../../../domain/group/group.ts';
import { StoredGroup } from '../../../../domain/group/stored-group.ts';
import type { Resource } from '../../../../domain/resource/resource.ts';
import type { FoundDocument, Stored } from '../../../../domain/resource/stored.ts';
import { StoredUser } from '../../../../domain/user/stored-user.ts';
import type { User } from '../../../../domain/user/user.ts';

export interface RowType<T extends Resource, S extends Stored<T>> {
  readonly kind: Kind<T>;
  /**
   * The SQL expression to select from table `u`. A document that something else wrote last comes in a JSON list with its id, its version
   * and, in a sorted list, the key that it stands under.
   * @param key the expression for that key
   */
  readonly documentColumn: (u: string, key?: string) => string;
  /** @param read a value of `documentColumn`: trusted where the service wrote it last, else to be checked */
  readonly read: (read: string) => S;
  /** The filter whose key is the unique name. */
  readonly nameFilter: FilterName;
  /** @param document as the service has printed it */
  readonly keysOf: (document: string) => Keys;
}

/** Of any kind. */
export type AnyRowType = Pick<RowType<never, never>, 'documentColumn'> & { readonly kind: AnyKind };
type AnyKind = Pick<Kind<never>, 'name' | 'sortNames'>;

/** SQL is written for users. The tables of groups have the same columns, and names that begin with `group`. */
export const sqlFor = ({ name }: AnyKind, sql: string): string =>
  name === 'user' ? sql : sql.replace(/\buser/g, name);

const bracket = 0x5b;

const found = (id: string, version: string, document: string, key: string | null): FoundDocument => ({
  ...{ id, version, document: parseIfJson(document) },
  ...(key === null ? {} : { sortKey: key }),
});

function parseIfJson(document: string): unknown {
  try {
    return JSON.parse(document);
  } catch {
    return undefined;
  }
}

export const userRows: RowType<User, StoredUser> = {
  kind: userKind,
  nameFilter: 'userName',
  // Trusted documents, which are nearly all, are still one text, at no cost.
  documentColumn: (u, key = 'NULL') =>
    `CASE WHEN ${u}.writes THEN ${u}.document
     ELSE json_array(${u}.id, ${u}.version, CAST(${u}.document AS TEXT), ${key}) END`,
  read(read) {
    if (read.charCodeAt(0) !== bracket) return StoredUser.fromText(read);
    const [id, version, document, key]: [string, string, string, string | null] = JSON.parse(read);
    return StoredUser.fromDocument(found(id, version, document, key));
  },
  keysOf: (document) => userKind.makeKeys(JSON.parse(document)),
};

type GroupRow = [
  ...[id: string, version: string, document: string, key: string | null],
  ...[writes: number | null, memberCount: number, revision: number],
];

export const groupRows: RowType<GroupDocument, StoredGroup> = {
  kind: groupKind,
  nameFilter: 'displayName',
  documentColumn: (u, key = 'NULL') =>
    `json_array(${u}.id, ${u}.version, CAST(${u}.document AS TEXT), ${key}, ${u}.writes,
     ifnull((SELECT count FROM member_counts WHERE members = CAST(${u}.members AS TEXT)), 0), ${u}.revision)`,
  read(read) {
    const [id, version, document, key, writes, memberCount, revision]: GroupRow = JSON.parse(read);
    const membership = { memberCount, revision };
    return writes === null
      ? StoredGroup.fromDocument(found(id, version, document, key), membership)
      : StoredGroup.fromText(document, membership);
  },
  keysOf: (document) => groupKind.makeKeys(JSON.parse(document)),
};
