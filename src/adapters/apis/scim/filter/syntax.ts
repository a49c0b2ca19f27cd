/** A parsed filter (RFC 7644 §3.4.2.2), with its attributes resolved in the schema. */
import { canonicalUuid } from '../../../../domain/validation/plain-values.ts';
import type { Attribute, AttributePath } from '../resource/attributes.ts';

export type Operator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';

/** In the attribute's type; a dateTime as the text in the filter. */
export type FilterValue = string | number | boolean | null;

export type ScimFilter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly ScimFilter[] }
  | { readonly kind: 'not'; readonly filter: ScimFilter }
  | { readonly kind: 'present'; readonly path: AttributePath }
  | {
      readonly kind: 'compare';
      readonly path: AttributePath;
      readonly operator: Operator;
      readonly value: FilterValue;
    }
  /** `emails[type eq "work"]`: one item must match the whole inner filter, whose paths name its sub-attributes. */
  | { readonly kind: 'items'; readonly path: AttributePath; readonly filter: ScimFilter };

export type Comparison = Extract<ScimFilter, { readonly kind: 'compare' }>;

export function replaceComparisons(
  filter: ScimFilter,
  replace: (comparison: Comparison) => ScimFilter,
): ScimFilter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map((one) => replaceComparisons(one, replace)) };
    case 'not':
    case 'items':
      return { ...filter, filter: replaceComparisons(filter.filter, replace) };
    default:
      return filter.kind === 'compare' ? replace(filter) : filter;
  }
}

/** The values that the filter compares with the ids of the relation; ids are in canonical form. Undefined for `pr`, which any id satisfies. */
export function relatedIn(filter: ScimFilter): readonly (string | undefined)[] {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.filters.flatMap(relatedIn);
  if (filter.kind === 'not' || filter.kind === 'items') return relatedIn(filter.filter);
  if (filter.kind === 'present') return filter.path.attribute.isRelation ? [undefined] : [];
  if (filter.kind !== 'compare' || !filter.path.attribute.isRelation) return [];
  const value = String(filter.value);
  return [canonicalUuid(value) ?? value];
}

/** The path of a PATCH operation (RFC 7644 §3.5.2, figure 7): `members[filter].sub`. */
export interface PatchPath {
  readonly path: AttributePath;
  /** Selects items of the list; all items if undefined. */
  readonly filter: ScimFilter | undefined;
  /** The sub-attribute after the filter; `path.sub` if there is no filter. */
  readonly sub: Attribute | undefined;
}

/** An invalid filter or path, or one with an unknown attribute. Its message gives the position and repeats names, but no values. */
export class SyntaxFault extends Error {
  override readonly name = 'SyntaxFault';
  /** One-based, in UTF-16 code units. */
  readonly column: number;

  constructor(detail: string, column: number) {
    super(detail);
    this.column = column;
  }
}
