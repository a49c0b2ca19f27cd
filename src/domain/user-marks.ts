/**
 * What the user's schema is written with. Beside JSON Schema's own keywords it may carry six of ours:
 * - `item`: what one entry of a list is called where a format names it (XML's element);
 * - `entry`: the same for one pair of a map;
 * - `must`: how to finish "must …" for a client whose value fails the pattern;
 * - `search`: how the user is found by it, as `words` or as a `phone` number (search.ts);
 * - `sort`: the name by which a list is put in its order (sorts.ts);
 * - `scim`: what SCIM has to be told of an attribute beside all that (RFC 7643 §7); of a list of bare texts, it tells of the texts.
 */
import Type from 'typebox';

/** Where it is left out, the attribute is what RFC 7643 §2.2 has for such. */
export interface ScimMark {
  readonly type?: 'reference' | 'binary';
  readonly caseExact?: boolean;
  readonly uniqueness?: 'server';
  /** Suggestions, to which nobody is held. */
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  /** Of a member of the user: the URN of the extension that its members are the attributes of. */
  readonly extension?: string;
}

export interface Marks {
  readonly search?: 'words' | 'phone';
  readonly sort?: string;
  readonly scim?: ScimMark;
}

export const text = (maxLength: number, description?: string, marks: Marks = {}) =>
  Type.String({ minLength: 1, maxLength, ...(description === undefined ? {} : { description }), ...marks });
export const words: Marks = { search: 'words' };
export const list = <T extends Type.TSchema>(item: string, maxItems: number, of: T, more: object = {}) =>
  Type.Optional(Type.Array(of, { item, minItems: 1, maxItems, ...more }));
export const closed = <T extends Type.TProperties>(description: string, properties: T, marks: Marks = {}) =>
  Type.Object(properties, { additionalProperties: false, minProperties: 1, description, ...marks });
