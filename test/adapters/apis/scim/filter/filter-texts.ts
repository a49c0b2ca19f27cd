/** Filters as text: in one spelling, whatever the one they were read from. */

import type { PatchPath, ScimFilter } from '../../../../../src/adapters/apis/scim/filter/syntax.ts';
import type { AttributePath } from '../../../../../src/adapters/apis/scim/resource/attributes.ts';

function printPath({ extension, attribute, sub }: AttributePath, isWithin: boolean): string {
  if (isWithin) return sub?.name ?? '';
  const urn = extension === undefined ? '' : `${extension}:`;
  return `${urn}${attribute.name}${sub === undefined ? '' : `.${sub.name}`}`;
}

/** With brackets around everything that has parts. */
export function printFilter(filter: ScimFilter, isWithin = false): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `(${filter.filters.map((one) => printFilter(one, isWithin)).join(` ${filter.kind} `)})`;
    case 'not':
      return `not (${printFilter(filter.filter, isWithin)})`;
    case 'present':
      return `${printPath(filter.path, isWithin)} pr`;
    case 'compare':
      return `${printPath(filter.path, isWithin)} ${filter.operator} ${JSON.stringify(filter.value)}`;
    case 'items':
      return `${printPath(filter.path, isWithin)}[${printFilter(filter.filter, true)}]`;
  }
}

export function printPatchPath({ path, filter, sub }: PatchPath): string {
  if (filter === undefined) return printPath(path, false);
  const within = `[${printFilter(filter, true)}]`;
  return `${printPath(path, false)}${within}${sub === undefined ? '' : `.${sub.name}`}`;
}
