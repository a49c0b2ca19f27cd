/** What this API refuses, by the keywords of RFC 7644 §3.12 and RFC 9865 §2.3: each a problem of its own. */
import { ApiProblem } from '../../../http/problems/problems.ts';

/** Each is 400, with this title. */
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
