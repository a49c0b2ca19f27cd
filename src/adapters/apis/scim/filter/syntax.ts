/** A filter as it was read (RFC 7644 §3.4.2.2), with its attributes looked up in the schema. */
import type { Attribute, AttributePath } from '../resource/attributes.ts';

export type Operator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';

/** Of the attribute's type; a dateTime as the text that was given. */
export type FilterValue = string | boolean | null;

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  | { readonly kind: 'present'; readonly path: AttributePath }
  | {
      readonly kind: 'compare';
      readonly path: AttributePath;
      readonly operator: Operator;
      readonly value: FilterValue;
    }
  /** `emails[type eq "work"]`: one item has to match the whole filter within, whose paths name its sub-attributes. */
  | { readonly kind: 'items'; readonly path: AttributePath; readonly filter: Filter };

/** Of a PATCH operation (RFC 7644 §3.5.2, figure 7): `members[filter].sub`. */
export interface PatchPath {
  readonly path: AttributePath;
  /** Which items of the list are meant; left out: all of them. */
  readonly filter: Filter | undefined;
  /** Behind the filter; `path.sub` where there is no filter. */
  readonly sub: Attribute | undefined;
}

/** A filter or path that isn't one, or names what there isn't. Its message says where, and never repeats what was sent. */
export class SyntaxFault extends Error {
  override readonly name = 'SyntaxFault';
  /** One-based, in UTF-16 code units. */
  readonly column: number;

  constructor(detail: string, column: number) {
    super(detail);
    this.column = column;
  }
}
