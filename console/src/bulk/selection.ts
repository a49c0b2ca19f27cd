import { useMemo, useState } from 'preact/hooks';
import type { User } from '../api/directory.ts';

/** Users picked out for something that is done to all of them, as they were when they were picked. */
export interface Selection {
  readonly users: readonly User[];
  has(id: string): boolean;
  toggle(users: readonly User[], isSelected: boolean): void;
  clear(): void;
}

/** They stay selected from page to page. */
export function useSelection(): Selection {
  const [selected, setSelected] = useState<ReadonlyMap<string, User>>(new Map());
  return useMemo(
    () => ({
      users: [...selected.values()],
      has: (id) => selected.has(id),
      toggle(users, isSelected) {
        const next = new Map(selected);
        for (const user of users) {
          if (isSelected) next.set(user.id, user);
          else next.delete(user.id);
        }
        setSelected(next);
      },
      clear: () => setSelected(new Map()),
    }),
    [selected],
  );
}
