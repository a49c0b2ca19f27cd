/**
 * Begins to serve a store with other declarations of attributes than it was last served with. The store is examined under its earlier declarations,
 * so a refusal changes nothing for the processes that serve it. Once the new declarations are stored, those processes write nothing more.
 */

import { examineDeclarations, typeStoredTexts } from '../../domain/examine-declarations.ts';
import { parseRemembered, printDeclarations } from '../../domain/kinds/attributes/compare.ts';
import { sections } from '../../domain/kinds/attributes/declaration.ts';
import { kindsOf } from '../../domain/kinds.ts';
import type { Clock, Ids } from '../../domain/ports.ts';
import { describeCount } from '../../domain/validation/describe-count.ts';
import type { StoreHooks, StoreModule } from './port/store-module.ts';

interface Parts extends StoreHooks {
  readonly clock: Clock;
  readonly ids: Ids;
}

/** @throws Error with a line for each attribute that must not change like this */
export async function adoptDeclared(
  { open, declared }: Pick<StoreModule, 'open' | 'declared'>,
  settings: object,
  { clock, ids, ...hooks }: Parts,
): Promise<void> {
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
