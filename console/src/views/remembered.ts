/** Columns and the size of pages that a person has chosen for a kind of list. They stay in the browser after the session. */
import type { ListAddress } from '../address/address.ts';
import type { KindName } from '../schema/kinds.ts';

type Choice = Pick<ListAddress, 'columns' | 'size'>;

const keyOf = (kind: KindName): string => `console.list.${kind}`;

/** Another version of the console may have written it. */
function read(kind: KindName): Choice {
  try {
    const { columns, size } = JSON.parse(localStorage.getItem(keyOf(kind)) ?? '{}');
    return {
      ...(Array.isArray(columns) && columns.length > 0 && { columns: columns.map(String) }),
      ...(Number.isSafeInteger(size) && { size }),
    };
  } catch {
    return {};
  }
}

/** @param change undefined members: the usual ones */
export const remember = (
  kind: KindName,
  change: { readonly [Name in keyof Choice]: Choice[Name] | undefined },
): void => localStorage.setItem(keyOf(kind), JSON.stringify({ ...read(kind), ...change }));

/** Choices that the address lacks are those made last. */
export const withRemembered = (kind: KindName, list: ListAddress): ListAddress => ({
  ...read(kind),
  ...list,
});
