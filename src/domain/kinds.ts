/** The kinds of resources of an installation, made once at the start of the process, and once in each thread of a store. */

import { groupKind } from './kinds/group/kind.ts';
import type { Kind } from './kinds/kind.ts';
import { userKind } from './kinds/user/kind.ts';
import type { KindName } from './validation/errors.ts';

/** How a thread makes the same kinds: they hold functions, which can't be posted to it. */
export interface KindsSource {
  /** The URL of a module that exports `kindsOf`. Left out: this one. */
  readonly module?: string;
}

export interface Kinds {
  readonly all: readonly Kind[];
  readonly source: KindsSource;
  /** The kind that has members, and the kind of its members: there is one such pair at most. */
  readonly relation: { readonly owners: Kind; readonly members: Kind } | undefined;
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
  const members = owners?.members === undefined ? undefined : ofKind(byName, owners.members);
  const relation = owners && members && { owners, members };
  return { all, source, relation, of: (name) => ofKind(byName, name) };
}

export const kindsOf = (): Kinds => makeKinds([userKind as unknown as Kind, groupKind as unknown as Kind]);

/** For a thread. */
export async function loadKinds({ module }: KindsSource): Promise<Kinds> {
  if (module === undefined) return kindsOf();
  const { kindsOf: makeThem } = (await import(module)) as { kindsOf: () => Kinds };
  return makeThem();
}
