/** The registry of stores. To add one: its folder, and a line here. */
import type Type from 'typebox';
import { examineDeclarations, typeStoredTexts } from '../../domain/examine-declarations.ts';
import { parseRemembered, printDeclarations } from '../../domain/kinds/attributes/compare.ts';
import { type Declarations, sections } from '../../domain/kinds/attributes/declaration.ts';
import { kindsOf } from '../../domain/kinds.ts';
import type { Clock, Ids } from '../../domain/ports.ts';
import type { Store } from '../../domain/store.ts';
import { describeCount } from '../../domain/validation/describe-count.ts';
import { toRealPath } from '../system/files.ts';
import { memory } from './memory/index.ts';
import { mongodb } from './mongodb/index.ts';
import type { DeliveryStore } from './port/delivery-store.ts';
import type { Readable, StoreHooks, StoreModule } from './port/store-module.ts';
import { sqlite } from './sqlite/index.ts';

const stores = { sqlite, mongodb, memory };

export type StoreKind = keyof typeof stores;
export const storeKinds = Object.keys(stores) as [StoreKind, ...StoreKind[]];

type SettingsByKind = { [Kind in StoreKind]: (typeof stores)[Kind]['settings'] };

export const storeSettings = Object.fromEntries(
  storeKinds.map((kind) => [kind, stores[kind].settings]),
) as SettingsByKind;
type StoreSettings = Type.Static<Type.TObject<SettingsByKind>>;

/** For a kind that is known only at run time. */
const moduleOf = (kind: StoreKind): StoreModule => stores[kind] as unknown as StoreModule;

/** Opens a store of any kind, not only the configured one. Rejects with a reason fit for an operator. */
export const openStore = (
  kind: StoreKind,
  settings: StoreSettings,
  hooks: StoreHooks,
): Promise<Store & Partial<Readable>> => moduleOf(kind).open(settings[kind] ?? {}, hooks);

/** The declarations that the store was last served with. */
export const readStoredDeclarations = async (
  kind: StoreKind,
  settings: StoreSettings,
): Promise<Declarations> =>
  parseRemembered((await moduleOf(kind).declared?.read(settings[kind] ?? {})) ?? '');

/** The state of webhooks. */
export const openDeliveries = (kind: StoreKind, settings: StoreSettings): Promise<DeliveryStore> =>
  moduleOf(kind).openDeliveries(settings[kind] ?? {});

/** Checks whether a service could start with the store, and changes nothing. Returns a description; rejects with the obstacle. */
export const inspectStore = (kind: StoreKind, settings: StoreSettings): Promise<string> =>
  moduleOf(kind).inspect(settings[kind] ?? {});

/** False if `openStore` would begin with an empty store. */
export const isThere = (kind: StoreKind, settings: StoreSettings): boolean =>
  moduleOf(kind).isThere?.(settings[kind] ?? {}) ?? true;

/** True for one of the store's own files, which must not be overwritten. */
export const isOwnFile = (kind: StoreKind, settings: StoreSettings, path: string): boolean =>
  moduleOf(kind)
    .files?.(settings[kind] ?? {})
    .includes(toRealPath(path)) ?? false;

/** The location of a store's resources, for people; without secrets. */
export const describeStore = (kind: StoreKind, settings: StoreSettings): Promise<string> =>
  moduleOf(kind).describe(settings[kind] ?? {});

/** True when several processes that open it see the same resources. */
export const isShared = (kind: StoreKind): boolean => stores[kind].isShared;

interface Parts extends StoreHooks {
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Begins to serve a store with other declarations of attributes than it was last served with. The store is examined under its earlier declarations,
 * so a refusal changes nothing for the processes that serve it. Once the new declarations are stored, those processes write nothing more.
 * @throws Error with a line for each attribute that must not change like this; or with another reason fit for an operator
 */
export async function adoptDeclarations(
  kind: StoreKind,
  { [kind]: settings = {} }: StoreSettings,
  { clock, ids, ...hooks }: Parts,
): Promise<void> {
  const { open, declared } = moduleOf(kind);
  const { declarations } = hooks.kinds.source;
  const own = printDeclarations(declarations);
  // What can't be read now is reported by the opening.
  const remembered = (await declared?.read(settings).catch(() => own)) ?? own;
  if (remembered === own || (remembered === '' && declarations === undefined)) return;
  const [before, next] = [parseRemembered(remembered), declarations ?? {}];
  const store = await open(settings, { ...hooks, kinds: kindsOf(before) });
  try {
    const findings = await examineDeclarations(store, before, next);
    const faults = findings.filter(({ verdict }) => verdict === 'fault');
    if (faults.length > 0)
      throw new Error(
        `The attributes can't be declared like this: ${faults.map(({ line }) => line).join('; ')}`,
      );
    const count = await typeStoredTexts({ store, clock, ids }, before, next);
    if (count > 0)
      hooks.onNotice?.(
        `Texts of ${describeCount(count, 'user or group', 'users and groups')} became typed values`,
      );
    // Another process may have been quicker with the same file: its declarations are compared at each write.
    if (!(await declared?.replace(settings, remembered, own))) return;
    const names = sections.flatMap((section) =>
      Object.keys(next[section] ?? {}).map((name) => `${section}.${name}`),
    );
    hooks.onNotice?.(`The declared attributes are: ${names.join(', ') || 'none'}`);
  } finally {
    await store.close();
  }
}
