/** For whom a resource is shown or written: a client may lack some of its members. */
import type { KindName } from '../validation/errors.ts';

/** Of a member with members of its own: all of them, some or none. */
export type Extent = 'whole' | 'part' | 'none';

/** The names of members from the root. A list is there as a whole, or not at all; the entries of a map are its members. */
export type MemberPath = readonly string[];

/** The members of one kind that a caller may see, and those of them that it may write. */
export interface MemberAccess {
  /** `id` and `meta` are always visible. */
  shows(path: MemberPath): Extent;
  /** Of visible members. */
  writes(path: MemberPath): Extent;
}

export interface Viewer {
  /** The minor version of the contract, such as `1.12`, that the client is pinned to: it sees no member that came later. */
  readonly contract?: string | undefined;
  /** Left out: all members. */
  readonly access?: { of(kind: KindName): MemberAccess } | undefined;
}
