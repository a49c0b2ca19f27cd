/** The kinds of resources of an installation, made once at the start of the process, and once in each thread of a store. */

import type { Declarations } from './kinds/attributes/declaration.ts';
import { groupKind, groupKindWith } from './kinds/group/kind.ts';
import type { Kind } from './kinds/kind.ts';
import { userKind, userKindWith } from './kinds/user/kind.ts';
import type { KindName } from './validation/errors.ts';

/** How a thread makes the same kinds: they hold functions, which can't be posted to it. */
export interface KindsSource {
  /** The URL of a module that exports `kindsOf`. Left out: this one. */
  readonly module?: string;
  /** What the installation declares. */
  readonly declarations?: Declarations | undefined;
}

export interface Kinds {
  readonly all: readonly Kind[];
  readonly source: KindsSource;
  /** The kind that has members, and the kind of its members: there is one such pair. */
  readonly relation: { readonly owners: Kind; readonly members: Kind };
  /** @throws RangeError for an unknown name */
  of(name: KindName): Kind;
}

/** The value in `all` of the kind. @throws RangeError for an unknown name */
export function ofKind<T>(all: ReadonlyMap<KindName, T>, name: KindName): T {
  const found = all.get(name);
  if (found === undefined) throw new RangeError(`There are no ${name}s here.`);
  return found;
}

/** @param source of these kinds */
export function makeKinds(all: readonly Kind[], source: KindsSource = {}): Kinds {
  const byName = new Map(all.map((kind) => [kind.name, kind]));
  const owners = all.find(({ members }) => members !== undefined);
  if (owners?.members === undefined) throw new TypeError('No kind has members.');
  const relation = { owners, members: ofKind(byName, owners.members) };
  return { all, source, relation, of: (name) => ofKind(byName, name) };
}

/** @param declarations attributes of this installation. Left out: none, and texts of any name */
export function kindsOf(declarations?: Declarations): Kinds {
  const all =
    declarations === undefined
      ? [userKind, groupKind]
      : [userKindWith(declarations), groupKindWith({ ...declarations, attributes: declarations.groups })];
  return makeKinds(all as unknown as readonly Kind[], { declarations });
}

/** For a thread. */
export async function loadKinds({ module, declarations }: KindsSource): Promise<Kinds> {
  if (module === undefined) return kindsOf(declarations);
  const { kindsOf: makeThem } = (await import(module)) as { kindsOf: () => Kinds };
  return makeThem();
}
