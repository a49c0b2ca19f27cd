/** The registry of stores. To add one: its folder, and a line here. */
import type Type from 'typebox';
import { memory } from './memory/index.ts';
import { mongodb } from './mongodb/index.ts';
import type { StoreLocation, StoreModule } from './port/store-module.ts';
import { sqlite } from './sqlite/index.ts';

const stores = { sqlite, mongodb, memory };

export type StoreKind = keyof typeof stores;
export const storeKinds = Object.keys(stores) as [StoreKind, ...StoreKind[]];

type SettingsByKind = { [Kind in StoreKind]: (typeof stores)[Kind]['settings'] };

export const storeSettings = Object.fromEntries(
  storeKinds.map((kind) => [kind, stores[kind].settings]),
) as SettingsByKind;
type StoreSettings = Type.Static<Type.TObject<SettingsByKind>>;

/** The store of a kind that is known only at run time, not only of the configured one. */
export const storeAt = (kind: StoreKind, settings: StoreSettings): StoreLocation =>
  (stores[kind] as unknown as StoreModule).at(settings[kind] ?? {});

/** True when several processes that open it see the same resources. */
export const isShared = (kind: StoreKind): boolean => stores[kind].isShared;

/** To be called when all is copied: the store of `to` goes on with the rules by which the values were stored. */
export async function copyDeclarations(from: StoreLocation, to: StoreLocation): Promise<void> {
  const remembered = (await from.declared?.read()) ?? '';
  if (remembered !== '') await to.declared?.replace('', remembered);
}
