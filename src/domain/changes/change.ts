/**
 * The change log: what was changed, when and by whom, in the order of the commits.
 *
 * A store makes the entries of a write where it applies the write, in the same transaction: by `documentChange` from the old and the new
 * document, and by `memberChanges` (member-changes.ts) from what became of the members. `log.ts` has the port by which they are read,
 * `../use-cases/feed.ts` the use cases. `difference.ts` compares documents.
 */

import type { Kind } from '../kinds/kind.ts';
import type { Projection } from '../resource/projection.ts';
import type { Resource } from '../resource/resource.ts';
import type { KindName } from '../validation/errors.ts';
import { readJson } from '../validation/plain-values.ts';
import { findDifference } from './difference.ts';

const changeOps = ['created', 'updated', 'deleted', 'restored', 'members-changed'] as const;
export type ChangeOp = (typeof changeOps)[number];

export const changeTypesOf = (kinds: readonly Pick<Kind, 'name' | 'members'>[]): readonly string[] =>
  kinds.flatMap(({ name, members }) =>
    changeOps.filter((op) => op !== 'members-changed' || members !== undefined).map((op) => `${name}.${op}`),
  );

/** What an erasure of the resource removes. */
interface ChangedValues {
  /** The unique name at that time, also in entries about members. Left out for readers from whom it is hidden. */
  readonly label?: string | undefined;
  /** The part of the old document that `changed` names. Left out for a new or a restored resource. */
  readonly before?: object;
  /** The whole document of a new or a restored resource, without `id` and `meta`. */
  readonly after?: object;
  /** For a deletion: `meta` and the members that aren't logged, which a restoration needs besides `before`. Never shown. */
  readonly kept?: object;
  /** For a deletion: the ids of the user's groups, or of the group's members. Left out if there are more than `maxMemberships`. */
  readonly memberships?: readonly string[];
}

/**
 * By the mark of the filter of an access profile: whether the resource was inside before the change (1), is inside after it (2), both (3) or
 * neither (0). Filters that the writing process didn't know are missing.
 */
export type Inside = Readonly<Record<string, number>>;

/** The changes of a write, before they have a place in the log. */
export interface Change {
  readonly type: `${KindName}.${ChangeOp}`;
  readonly id: string;
  /** The version after the change, like `Stored.version`; none after a deletion. */
  readonly version?: string;
  /** For an updated resource: JSON Pointers to the differences; see `withoutNames`. They include members whose values are not logged. */
  readonly changed?: readonly string[];
  /** Ids of new members. With those in `removed`, at most `maxIds`. */
  readonly added?: readonly string[];
  /** Ids of former members. */
  readonly removed?: readonly string[];
  /** The group has exactly the members in `added` of this entry and of the following entries of the same write. */
  readonly whole?: true;
  /** Set for changes of documents if profiles have filters. Never shown. */
  readonly inside?: Inside;
  readonly values?: ChangedValues;
}

/** The place of an entry in the log. */
export interface Place {
  /** Increases in the order of the commits; there may be gaps. */
  readonly number: number;
  /** Random: tells this entry from another one that gets the same number after a restore. */
  readonly mark: string;
  /** For a reader with an access profile: `Access.mark`, followed by `.start` until it has read on from the start of the log. */
  readonly access?: string;
}

export interface Entry extends Change, Place {
  /** Milliseconds since 1970, by the clock of the process that wrote; not for ordering. */
  readonly at: number;
  readonly by: Actor;
}

/** @param text of the values, as JSON: parsed only when they are read, since filters of histories leave out most entries */
export const withValues = (entry: Entry, text: string | null | undefined): Entry =>
  text ? Object.defineProperty(entry, 'values', { enumerable: true, get: () => JSON.parse(text) }) : entry;

/** In UTF-16 code units: a page of the log ends with the entry that reaches it, so that large entries take no more time than small ones. */
export const maxPageLength = 2 ** 20;

/** Ids in one entry, besides those that a deletion keeps. */
export const maxIds = 1_000;

/** Ids that the entry of a deletion keeps. */
export const maxMemberships = 10_000;

/** The change, in which a pointer to a map replaces the pointers to its entries: for readers without values, and for erasures. */
export function withoutNames<C extends Pick<Change, 'changed'>>({ maps }: Pick<Kind, 'maps'>, change: C): C {
  const mapOf = (pointer: string) => maps.find((map) => pointer.startsWith(`${map}/`));
  const { changed } = change;
  if (!changed?.some(mapOf)) return change;
  return { ...change, changed: [...new Set(changed.map((pointer) => mapOf(pointer) ?? pointer))] };
}

/** The change for a client that does not see all members of the kind. */
export function projectChange<C extends Pick<Change, 'changed' | 'values'>>(
  { unique }: Pick<Kind, 'unique'>,
  { hides, show }: Projection,
  change: C,
): C {
  const { changed, values } = change;
  if (values === undefined && !changed?.some(hides)) return change;
  const { label, ...others } = values ?? {};
  const part = (name: 'before' | 'after') => others[name] && { [name]: show(others[name]) };
  const named = label !== undefined && !hides(`/${unique.member}`) && { label };
  return {
    ...change,
    ...(changed && { changed: changed.filter((pointer) => !hides(pointer)) }),
    ...(values && { values: { ...others, ...named, ...part('before'), ...part('after') } }),
  };
}

type Document = Resource & Readonly<Record<string, unknown>>;

/** These parts differ in each write. */
const identity: readonly string[] = ['id', 'meta'];

/** Without `identity`, and without parts that are too large for the log. */
function contentOf({ unlogged }: Kind, document: Document): Record<string, unknown> {
  const { id, meta, ...content } = document;
  const hasUnlogged = unlogged.some((member) => member in content);
  if (!hasUnlogged) return content;
  return Object.fromEntries(Object.entries(content).filter(([member]) => !unlogged.includes(member)));
}

/** What a store knows of a change, besides the documents. */
interface Circumstances {
  /** For a deletion: all ids, or at least one more than `maxMemberships`. */
  readonly memberships?: readonly string[] | undefined;
  /** The new resource was deleted before. */
  readonly isRestored?: boolean;
  /** `Inside` of the write. */
  readonly inside?: Inside | undefined;
}

/**
 * The change of a document. A text that can't be read, since another program wrote it, counts as empty.
 * @param before the old text; undefined for a new resource
 * @param after the new text; undefined for a deleted resource
 * @param version after the change
 */
export function documentChange(
  kind: Kind,
  id: string,
  before: string | undefined,
  after: Resource | undefined,
  version?: string,
  { memberships = [], isRestored = false, inside }: Circumstances = {},
): Change {
  const old = before === undefined ? undefined : parse(before);
  const next = after as Document | undefined;
  const label = labelIn(kind, next ?? old);
  const known = { id, ...(version !== undefined && { version }), ...(inside && { inside }) };
  if (next === undefined)
    return {
      type: `${kind.name}.deleted`,
      ...known,
      values: { label, ...(old && valuesOfDeleted(kind, old, memberships)) },
    };
  if (before === undefined)
    return {
      type: `${kind.name}.${isRestored ? 'restored' : 'created'}`,
      ...known,
      values: { label, after: contentOf(kind, next) },
    };
  const leftOut = [...identity, ...kind.unlogged];
  const difference = findDifference(old ?? {}, next, kind.schema, '', leftOut);
  const unlogged = kind.unlogged.filter(
    (member) => JSON.stringify(old?.[member]) !== JSON.stringify(next[member]),
  );
  return {
    type: `${kind.name}.updated`,
    ...known,
    changed: [...difference.changed, ...unlogged.map((member) => `/${member}`)],
    values: { label, before: difference.before, after: difference.after },
  };
}

function valuesOfDeleted(
  kind: Kind,
  { id, ...document }: Document,
  memberships: readonly string[],
): Omit<ChangedValues, 'label'> {
  const before = contentOf(kind, { id, ...document } as Document);
  const others = Object.entries(document).filter(([member]) => !Object.hasOwn(before, member));
  return {
    before,
    kept: Object.fromEntries(others),
    ...(memberships.length <= maxMemberships && { memberships }),
  };
}

/** The unique name, as `ChangedValues.label`. */
const labelIn = ({ unique }: Kind, document: Document | undefined): string =>
  String(document?.[unique.member] ?? '');

/** @param document or its text; undefined if there is none, or it can't be read */
export function labelOf(kind: Kind, document: Resource | string | undefined): string | undefined {
  const read = typeof document === 'string' ? parse(document) : (document as Document | undefined);
  return read && labelIn(kind, read);
}

const parse = (text: string) => readJson(text) as Document | undefined;

/** Who made a change, and how. A store receives it with each write, and the change log keeps it. */
export interface Actor {
  /** The principal's id. */
  readonly client: string;
  /** The person on whose behalf the client writes, if the credentials name one. */
  readonly person?: Person | undefined;
  /** The API, such as `users` or `scim`; or `import`, `copy`, `command`, `validity`. */
  readonly via: string;
  /** The id of the request, for a write over HTTP, or of the import by the command. */
  readonly request?: string | undefined;
}

/** The subject of a token, if it differs from the client (RFC 7519 §4.1.1, §4.1.2). */
export interface Person {
  readonly issuer: string;
  readonly subject: string;
}
