import { useMemo } from 'preact/hooks';
import { Observable, useObservable } from '../parts/observable.ts';
import { kindOf, type Ref, type Resource } from '../schema/kinds.ts';

/** Resources that are selected for an action, as the person last saw them. */
export interface Selection {
  readonly resources: readonly Resource[];
  has(id: string): boolean;
  toggle(resources: readonly Resource[], isSelected: boolean): void;
  clear(): void;
}

type Selected = Observable<ReadonlyMap<string, Resource>>;

/** By the key of a list. Selections end with the page, and so with the session. */
const selections = new Map<string, Selected>();

function selectedOn(list: string): Selected {
  const selected = selections.get(list) ?? new Observable<ReadonlyMap<string, Resource>>(new Map());
  selections.set(list, selected);
  return selected;
}

function put(selected: Selected, resources: readonly Resource[], isSelected: boolean): void {
  const next = new Map(selected.value);
  for (const resource of resources) {
    if (isSelected) next.set(resource.id, resource);
    else next.delete(resource.id);
  }
  selected.set(next);
}

/** The selection stays from page to page, and while other views are open. @param list its key */
export function useSelection(list: string): Selection {
  const selected = selectedOn(list);
  const value = useObservable(selected);
  return useMemo(
    () => ({
      resources: [...value.values()],
      has: (id) => value.has(id),
      toggle: (resources, isSelected) => put(selected, resources, isSelected),
      clear: () => selected.set(new Map()),
    }),
    [selected, value],
  );
}

/** Updates a resource in every selection. @param now the version that the person sees; undefined: deleted */
export function renewSelected({ kind, id }: Ref, now: Resource | undefined): void {
  for (const selected of selections.values()) {
    const before = selected.value.get(id);
    if (before !== undefined && kindOf(before) === kind) put(selected, [now ?? before], now !== undefined);
  }
}
