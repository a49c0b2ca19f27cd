/** Errors by the keywords of RFC 7644 §3.12 and RFC 9865 §2.3; each keyword is a separate problem. */
import { ApiProblem } from '../../../http/problems/problems.ts';

/** The titles of the problems; each has the status 400. */
export const keywords = {
  invalidFilter: 'The filter is wrong',
  mutability: 'The attribute cannot be changed so',
  invalidSyntax: 'The message is not a SCIM message',
  invalidPath: 'The path is wrong',
  noTarget: 'The path leads nowhere',
  invalidValue: 'A value is wrong',
  invalidCursor: 'The cursor is none of this list',
  invalidCount: 'The count is wrong',
} as const;

export type ScimType = keyof typeof keywords | 'uniqueness' | 'tooMany';

/** The problem code of a keyword. */
export const toCode = (scimType: string): string =>
  `scim-${scimType.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** An invalid request: 400 with the keyword. The message is sent to the client. */
export class ScimError extends ApiProblem {
  override readonly name = 'ScimError';
  readonly scimType: keyof typeof keywords;

  constructor(scimType: keyof typeof keywords, detail: string) {
    super(toCode(scimType), detail);
    this.scimType = scimType;
  }
}
