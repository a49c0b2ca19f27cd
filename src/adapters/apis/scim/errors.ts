/** What SCIM calls what a client did wrong (RFC 7644 §3.12, table 9; RFC 9865 §2.3 for cursors). */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'
  | 'sensitive'
  | 'invalidCursor'
  | 'expiredCursor'
  | 'invalidCount';

/** Its message is fit for the client: it never repeats a value that was sent. */
export class ScimError extends Error {
  override readonly name = 'ScimError';
  readonly scimType: ScimType;

  constructor(scimType: ScimType, detail: string) {
    super(detail);
    this.scimType = scimType;
  }
}
