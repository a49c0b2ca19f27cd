/** What this API refuses, by the keywords of RFC 7644 §3.12 and RFC 9865 §2.3: each a problem of its own. */
import type { ProblemType } from '../../../http/problem-types.ts';
import { ApiProblem } from '../../../http/problems.ts';

/** Each is 400. */
export const keywords = {
  invalidFilter: {
    title: 'The filter is wrong',
    meaning:
      'The filter is malformed, names an attribute that there is not, or compares it with what it cannot be.',
    remedy: 'See detail, which has the place. RFC 7644 §3.4.2.2 has the grammar, /Schemas the attributes.',
  },
  mutability: {
    title: 'The attribute cannot be changed so',
    meaning: 'The attribute is read-only, or is required and would be removed.',
    remedy: 'Leave it out of the request.',
  },
  invalidSyntax: {
    title: 'The message is not a SCIM message',
    meaning: 'The body has an attribute that there is not, or not the shape that the operation takes.',
    remedy: 'See detail; /Schemas has the attributes.',
  },
  invalidPath: {
    title: 'The path is wrong',
    meaning: 'The path of an operation is malformed, or names an attribute that there is not.',
    remedy: 'See detail, which has the place. RFC 7644 §3.5.2 has the grammar.',
  },
  noTarget: {
    title: 'The path leads nowhere',
    meaning:
      'The filter in the path matches nothing of this user, or an operation that needs a path has none.',
    remedy: 'Read the user, and name what is there.',
  },
  invalidValue: {
    title: 'A value is wrong',
    meaning: 'A value is missing, or is none that the attribute or parameter can have.',
    remedy: 'See detail, which names the attribute or parameter.',
  },
  invalidCursor: {
    title: 'The cursor is none of this list',
    meaning: 'The cursor was changed, or belongs to another filter or order (RFC 9865 §2.1).',
    remedy: 'Begin again with an empty cursor, and leave filter and order unchanged on the way.',
  },
  invalidCount: {
    title: 'The count is wrong',
    meaning: 'count is not a whole number (RFC 9865 §2.1).',
    remedy: 'Send a whole number, or none.',
  },
} as const satisfies Record<string, Omit<ProblemType, 'status'>>;

export type ScimType = keyof typeof keywords | 'uniqueness' | 'tooMany';

/** Of the problem with a keyword. */
export const toCode = (scimType: string): string =>
  `scim-${scimType.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Thrown where this API refuses what was sent: 400 with the keyword. The message goes to the client. */
export class ScimError extends ApiProblem {
  override readonly name = 'ScimError';
  readonly scimType: keyof typeof keywords;

  constructor(scimType: keyof typeof keywords, detail: string) {
    super(toCode(scimType), detail);
    this.scimType = scimType;
  }
}
