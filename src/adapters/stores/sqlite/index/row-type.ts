/** The rows of one kind of resource: their tables, and how a document is read from them. */
import type { FilterName } from '../../../../domain/find/filters.ts';
import type { GroupDocument } from '../../../../domain/kinds/group/group.ts';
import { groupKind } from '../../../../domain/kinds/group/kind.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import { userKind } from '../../../../domain/kinds/user/kind.ts';
import type { User } from '../../../../domain/kinds/user/user.ts';
import type { Resource } from '../../../../domain/resource/resource.ts';
import { Stored } from '../../../../domain/resource/stored.ts';

export interface RowType<T extends Resource> {
  readonly kind: Kind<T>;
  /** The SQL expression to select from table `u`. */
  readonly documentColumn: (u: string) => string;
  /** @param read a value of `documentColumn` */
  readonly read: (read: string) => Stored<T>;
  /** The filter whose key is the unique name. */
  readonly nameFilter: FilterName;
}

/** Of any kind. */
export type AnyRowType = Pick<RowType<never>, 'documentColumn'> & { readonly kind: AnyKind };
type AnyKind = Pick<Kind<never>, 'name' | 'sortNames'>;

/** SQL is written for users. The tables of groups have the same columns, and names that begin with `group`. */
export const sqlFor = ({ name }: AnyKind, sql: string): string =>
  name === 'user' ? sql : sql.replace(/\buser/g, name);

export const userRows: RowType<User> = {
  kind: userKind,
  nameFilter: 'userName',
  documentColumn: (u) => `${u}.document`,
  read: (read) => new Stored(read),
};

export const groupRows: RowType<GroupDocument> = {
  kind: groupKind,
  nameFilter: 'displayName',
  // The number of members, the revision and the document, with spaces between them.
  documentColumn: (u) =>
    `ifnull((SELECT count FROM member_counts WHERE members = CAST(${u}.members AS TEXT)), 0)
     || ' ' || ${u}.revision || ' ' || ${u}.document`,
  read(read) {
    const [memberCount = 0, revision = 0] = read.split(' ', 2).map(Number);
    return new Stored(read.slice(`${memberCount} ${revision} `.length), { memberCount, revision });
  },
};
