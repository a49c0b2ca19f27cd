/** The registry of stores. To add one: its folder, and a line here. */
import type Type from 'typebox';
import { examineDeclarations, typeStoredTexts } from '../../domain/examine-declarations.ts';
import { timelyStore } from '../../domain/follow-time.ts';
import { parseRemembered, printDeclarations } from '../../domain/kinds/attributes/compare.ts';
import { sections } from '../../domain/kinds/attributes/declaration.ts';
import { type Kinds, kindsOf } from '../../domain/kinds.ts';
import type { Clock, Ids } from '../../domain/ports.ts';
import type { Store } from '../../domain/store.ts';
import { describeCount } from '../../domain/validation/describe-count.ts';
import { memory } from './memory/index.ts';
import { mongodb } from './mongodb/index.ts';
import type { StoreHooks, StoreLocation, StoreModule } from './port/store-module.ts';
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

interface Parts extends StoreHooks {
  readonly clock: Clock;
  readonly ids: Ids;
  /** The store as the process writes through it. */
  readonly marked: (store: Store) => Store;
}

/**
 * Begins to serve a store with other declarations of attributes than it was last served with. The store is examined under its earlier declarations,
 * so a refusal changes nothing for the processes that serve it. Once the new declarations are stored, those processes write nothing more.
 * @throws Error with a line for each attribute that must not change like this; or with another reason fit for an operator
 */
export async function adoptDeclarations(
  location: StoreLocation,
  { clock, ids, marked, ...hooks }: Parts,
): Promise<void> {
  const { declared } = location;
  const { declarations } = hooks.kinds.source;
  const own = printDeclarations(declarations);
  // What can't be read now is reported by the opening.
  const remembered = (await declared?.read().catch(() => own)) ?? own;
  if (remembered === own || (remembered === '' && declarations === undefined)) return;
  const [before, next] = [parseRemembered(remembered), declarations ?? {}];
  const store = await location.open({ ...hooks, kinds: kindsOf(before) });
  try {
    const findings = await examineDeclarations(store, before, next);
    const faults = findings.filter(({ verdict }) => verdict === 'fault');
    if (faults.length > 0)
      throw new Error(
        `The attributes can't be declared like this: ${faults.map(({ line }) => line).join('; ')}`,
      );
    const timely = timelyStore({ store: marked(store), kinds: hooks.kinds, clock, ids });
    const count = await typeStoredTexts({ store: timely, clock, ids }, before, next);
    if (count > 0)
      hooks.onNotice?.(
        `Texts of ${describeCount(count, 'user or group', 'users and groups')} became typed values`,
      );
    // Another process may have been quicker with the same file: its declarations are compared at each write.
    if (!(await declared?.replace(remembered, own))) return;
    const names = sections.flatMap((section) =>
      Object.keys(next[section] ?? {}).map((name) => `${section}.${name}`),
    );
    hooks.onNotice?.(`The declared attributes are: ${names.join(', ') || 'none'}`);
  } finally {
    await store.close();
  }
}

/**
 * To be called when a process begins to serve the store, also without declarations: from then on, commands that already have some change nothing
 * that the service needs.
 */
export async function rememberDeclarations({ declared }: StoreLocation, { source }: Kinds): Promise<void> {
  if ((await declared?.read()) === '') await declared?.replace('', printDeclarations(source.declarations));
}

/** To be called when all is copied: the store of `to` goes on with the rules by which the values were stored. */
export async function copyDeclarations(from: StoreLocation, to: StoreLocation): Promise<void> {
  const remembered = (await from.declared?.read()) ?? '';
  if (remembered !== '') await to.declared?.replace('', remembered);
}
