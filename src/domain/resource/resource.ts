/** The members of every resource (an id, and `meta`, the service's own record of it), and the client for which a resource is shown. */
import * as Type from 'typebox';
import type { KindName } from '../validation/errors.ts';
import { uuidPattern } from '../validation/plain-values.ts';

/** @param description of the kind's ids */
export const idType = (description: string) =>
  Type.String({ pattern: uuidPattern, must: 'be a UUID (RFC 9562)', description });

export const Meta = Type.Object(
  {
    created: Type.String({ format: 'date-time', description: 'Time of creation.', sort: 'created' }),
    lastModified: Type.String({
      format: 'date-time',
      description: 'Time of the last change.',
      sort: 'lastModified',
    }),
    version: Type.String({ minLength: 1, description: 'Changes with each write; opaque.' }),
  },
  {
    additionalProperties: false,
    readOnly: true,
    description: 'What the service records of the resource. Read-only: ignored in requests.',
  },
);

export type Meta = Type.Static<typeof Meta>;

export interface Resource {
  readonly id: string;
  readonly meta: Meta;
}

/** How much of a member with members of its own: all of them, some or none. */
export type Extent = 'whole' | 'part' | 'none';

/** The names of members from the root. A list is there as a whole, or not at all; the entries of a map are its members. */
export type MemberPath = readonly string[];

/** The members of one kind that a caller may see, and those of them that it may write. */
export interface MemberAccess {
  /** `id` and `meta` are always visible. */
  shows(path: MemberPath): Extent;
  /** How much of a visible member may be written. */
  writes(path: MemberPath): Extent;
  /** Both follow from it: the same object for all profiles of a file that name the same members. */
  readonly named: object;
}

/** The client for which a resource is shown or written: it may lack some of its members. */
export interface Viewer {
  /** The minor version of the contract, such as `1.12`, that the client is pinned to: it sees no member that came later. */
  readonly contract?: string | undefined;
  /** Left out: all members. */
  readonly access?: { of(kind: KindName): MemberAccess } | undefined;
}
