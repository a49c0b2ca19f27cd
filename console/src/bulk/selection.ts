import { useMemo, useState } from 'preact/hooks';
import type { Resource } from '../schema/kinds.ts';

/** Resources picked out for something that is done to all of them, as they were when they were picked. */
export interface Selection {
  readonly resources: readonly Resource[];
  has(id: string): boolean;
  toggle(resources: readonly Resource[], isSelected: boolean): void;
  clear(): void;
}

/** They stay selected from page to page. */
export function useSelection(): Selection {
  const [selected, setSelected] = useState<ReadonlyMap<string, Resource>>(new Map());
  return useMemo(
    () => ({
      resources: [...selected.values()],
      has: (id) => selected.has(id),
      // Based on the latest selection: calls may come from an older rendering.
      toggle: (resources, isSelected) =>
        setSelected((before) => {
          const next = new Map(before);
          for (const resource of resources) {
            if (isSelected) next.set(resource.id, resource);
            else next.delete(resource.id);
          }
          return next;
        }),
      clear: () => setSelected(new Map()),
    }),
    [selected],
  );
}
