/** The attributes that the domain's filters index. SCIM and /users compare these alike. */

import { filters } from '../../../../domain/at-import.ts';
import type { FilterName } from '../../../../domain/find/filters.ts';
import type { AttributePath } from '../resource/attributes.ts';

/** Attributes of the core schema. SCIM doesn't use other filters. */
const attributes: Readonly<Record<string, FilterName>> = {
  userName: 'userName',
  externalId: 'externalId',
  'emails.value': 'email',
  active: 'active',
  'roles.value': 'role',
};
const indexed: ReadonlyMap<string, FilterName> = new Map(Object.entries(attributes));

export function findFilterName({ extension, attribute, sub }: AttributePath): FilterName | undefined {
  if (extension !== undefined) return undefined;
  return indexed.get(sub === undefined ? attribute.name : `${attribute.name}.${sub.name}`);
}

export const isCaseExact = ({ attribute, sub }: AttributePath): boolean => (sub ?? attribute).caseExact;

/** Maps a text value for comparison: texts with the same key are equal. */
export type TextKey = (text: string) => string | undefined;

export const textKeyOf = (path: AttributePath, lowerCase: TextKey): TextKey => {
  const filter = filters[findFilterName(path) ?? ''];
  if (filter !== undefined) return filter.key;
  return isCaseExact(path) ? asIs : lowerCase;
};

const asIs: TextKey = (text) => text;
