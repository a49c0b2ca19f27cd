/** The registry of stores. To add one: its folder, and a line here. */
import type Type from 'typebox';
import { parseRemembered } from '../../domain/kinds/attributes/compare.ts';
import type { Declarations } from '../../domain/kinds/attributes/declaration.ts';
import type { Store } from '../../domain/store.ts';
import { toRealPath } from '../system/files.ts';
import { adoptDeclared } from './adopt-declared.ts';
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

/** See adopt-declared.ts. Rejects with a reason fit for an operator. */
export const adoptDeclarations = (
  kind: StoreKind,
  settings: StoreSettings,
  parts: Parameters<typeof adoptDeclared>[2],
): Promise<void> => adoptDeclared(moduleOf(kind), settings[kind] ?? {}, parts);

/** What the store was last served with. */
export const readStoredDeclarations = async (
  kind: StoreKind,
  settings: StoreSettings,
): Promise<Declarations> =>
  parseRemembered((await moduleOf(kind).declared?.read(settings[kind] ?? {})) ?? '');

/** What webhooks keep. */
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
