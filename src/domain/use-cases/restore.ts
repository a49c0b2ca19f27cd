/** Brings a deleted resource back unchanged, with its memberships, from the entry of its deletion: nothing else keeps them. */

import { showsDeletion } from '../access/limited-entries.ts';
import type { Entry } from '../changes/change.ts';
import { type ChangeLog, changeLogOf, findNewest, type Subject } from '../changes/log.ts';
import { commitOne } from '../commit-one.ts';
import { changeByTime } from '../follow-time.ts';
import type { Kind } from '../kinds/kind.ts';
import { firstMeta, nextMeta } from '../meta.ts';
import type { Caller } from '../ports.ts';
import type { Meta, Resource } from '../resource/resource.ts';
import type { Stored } from '../resource/stored.ts';
import { requireScope, scopeOf } from '../scopes.ts';
import { attributesMember, attributesOf, attributeText } from '../validation/attribute-types.ts';
import { DomainError, idTaken } from '../validation/errors.ts';
import { normalize } from '../validation/schema-validator.ts';
import { type ResourceParts, requirePermission } from './resource-writes.ts';

export interface Restores<T extends Resource> {
  /**
   * The resource gets its stored members, even if today's rules would refuse them. Groups and members that no longer exist are left out.
   * @param isAlone without its memberships
   * @throws DomainError in this order: `id-taken` if the resource exists, `not-logged`, `not-restorable`, or that the name is taken
   */
  restore(caller: Caller, id: string, isAlone: boolean): Promise<Stored<T>>;
}

/** Whether the log still has the entry with its values. */
async function isKept(log: ChangeLog, of: Subject, number: number): Promise<boolean> {
  const { end } = await log.history(1, undefined, of);
  const [entry] = (await log.history(1, { ...end, number: number + 1 }, of)).entries;
  return entry?.number === number && entry.values !== undefined;
}

interface Deletion {
  readonly content: Readonly<Record<string, unknown>>;
  readonly meta: Meta | undefined;
  readonly memberships: readonly string[];
}

const refuse = (why: string): DomainError =>
  new DomainError('not-restorable', `${why}; nothing was changed.`);

/** @throws DomainError `not-restorable` */
function readDeletion({ name }: Pick<Kind, 'name'>, entry: Entry | undefined, isAlone: boolean): Deletion {
  const aloneIs = 'memberships=none restores it without';
  if (entry?.type !== `${name}.deleted`)
    throw refuse(`The change log has no deletion of this ${name}: there was none, or it is no longer kept`);
  const { values } = entry;
  if (values === undefined) throw refuse(`The values of this ${name} were erased`);
  const { before, kept, memberships } = values;
  if (before === undefined) throw refuse(`The ${name} could not be read when it was deleted`);
  if (kept === undefined && !isAlone)
    throw refuse(
      `The entry of this deletion was imported, or written by an earlier release, and has no memberships: ${aloneIs}, and without what the log left out`,
    );
  if (memberships === undefined && !isAlone)
    throw refuse(`The deletion ended more memberships than the change log keeps: ${aloneIs}`);
  const { meta, ...others } = (kept ?? {}) as { readonly meta?: Meta };
  return { content: { ...before, ...others }, meta, memberships: isAlone ? [] : (memberships ?? []) };
}

/** The attributes by the declarations of today, as far as they read the values: those of the deletion may have been others. */
function typedIn({ schema }: Pick<Kind, 'schema'>, content: object): object {
  const of = schema.properties[attributesMember];
  const stored = Object.entries(attributesOf(content));
  if (of === undefined || stored.length === 0) return {};
  const texts = Object.fromEntries(stored.map(([name, value]) => [name, attributeText(value)]));
  const read = attributesOf({ [attributesMember]: normalize(of, texts).value });
  return { [attributesMember]: { ...texts, ...read } };
}

export function restores<T extends Resource, I extends object>({
  kind,
  storeFor,
  clock,
  ids,
}: ResourceParts<T, I>): Restores<T> {
  const { name } = kind;
  return {
    async restore(caller, id, isAlone) {
      requireScope(caller, scopeOf(name, 'remove'));
      requireScope(caller, 'history:read');
      requirePermission(caller, kind, 'create');
      const store = storeFor(caller);
      if ((await store.find(name, id)) !== undefined) throw idTaken(name);
      const [log, of] = [changeLogOf(store), { kind: name, id }];
      const newest = await findNewest(log, of);
      const { access } = caller;
      const shown = access === undefined || showsDeletion(access, name, newest) ? newest : undefined;
      const { content, meta: old, memberships } = readDeletion(kind, shown, isAlone);
      const [now, version] = [clock.now(), ids.version()];
      const meta = old ? nextMeta(old, now, version) : firstMeta(now, version);
      // Time counts for deleted users, too: a user whose validity has ended since comes back inactive.
      const was = { ...content, id, meta: old ?? meta } as unknown as T;
      const changed = {
        ...content,
        ...typedIn(kind, content),
        ...changeByTime(kind, was, now, meta.lastModified),
      };
      const next = kind.builder.print(id, changed as unknown as I, meta);
      await commitOne(store, caller, { kind: name, id, op: 'create', next, restored: memberships });
      // The write is done, so a failure of the reads from here on must not become its response.
      if (!(await isKept(log, of, newest?.number ?? 0).catch(() => true))) {
        // An erasure was answered after the values were read: they must not stay.
        await commitOne(store, caller, { kind: name, id, op: 'remove', before: next, erase: true });
        throw refuse(`The values of this ${name} were erased meanwhile`);
      }
      const written = kind.members && (await store.find(name, id).catch(() => undefined));
      return kind.viewFor(caller)((written as Stored<T> | undefined) ?? next);
    },
  };
}
