/** Errors by the keywords of RFC 7644 §3.12 and RFC 9865 §2.3; each keyword is a separate problem. */
import { maxViolations, type Violation } from '../../../../domain/validation/errors.ts';
import { ApiProblem } from '../../../http/problems/problems.ts';

/** The titles of the problems; each has the status 400. */
export const keywords = {
  invalidFilter: 'The filter is wrong',
  mutability: 'The attribute cannot be changed so',
  invalidSyntax: 'The message is not a SCIM message',
  invalidPath: 'The path is wrong',
  noTarget: 'The path leads nowhere',
  invalidValue: 'A value is wrong',
  invalidCursor: 'The cursor does not belong to this list',
  invalidCount: 'The count is wrong',
} as const;

export type ScimType = keyof typeof keywords | 'uniqueness' | 'tooMany';

/** The problem code of a keyword. */
export const toCode = (scimType: string): string =>
  `scim-${scimType.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

type Keyword = keyof typeof keywords;

export const joinDetails = (details: readonly string[]): string =>
  `${details.map((detail) => detail.replace(/\.$/, '')).join('; ')}.`;

/** An invalid request: 400 with the keyword. The message is sent to the client. */
export class ScimError extends ApiProblem {
  override readonly name = 'ScimError';
  readonly scimType: Keyword;
  /** One message for each mistake, with its place. */
  readonly details: readonly string[];
  /** True if a limit is exceeded: the rest of the document is not examined. */
  readonly isLimit: boolean;

  constructor(scimType: Keyword, details: string | readonly string[], isLimit = false) {
    const all = typeof details === 'string' ? [details] : details;
    super(toCode(scimType), joinDetails(all));
    [this.scimType, this.details, this.isLimit] = [scimType, all, isLimit];
  }
}

/** A violation in SCIM's words: the detail has the place. */
type ScimViolation = Violation & Pick<ScimError, 'scimType'>;

export const isScimViolation = (violation: Violation): violation is ScimViolation => 'scimType' in violation;

/** Collects the mistakes of a document, so that a client is told of all at once. */
export class Mistakes {
  readonly violations: ScimViolation[] = [];

  /**
   * Runs the function, unless the response already has its maximum number of mistakes.
   * @returns undefined for a mistake
   * @throws ScimError for a limit
   */
  collect<T>(run: () => T, pointer = ''): T | undefined {
    if (this.violations.length >= maxViolations) return undefined;
    try {
      return run();
    } catch (error) {
      if (!(error instanceof ScimError) || error.isLimit) throw error;
      const { details, scimType } = error;
      this.violations.push(...details.map((detail) => ({ pointer, detail, scimType })));
      return undefined;
    }
  }

  /** @throws ScimError with the keyword of the first mistake */
  assertNone(): void {
    const [first] = this.violations;
    if (first === undefined) return;
    const details = this.violations.slice(0, maxViolations).map(({ detail }) => detail);
    throw new ScimError(first.scimType, details);
  }
}

/** @throws ScimError with the mistakes of all items */
export function mapAll<T, R>(items: readonly T[], map: (item: T, index: number) => R): R[] {
  const mistakes = new Mistakes();
  const mapped = items.map((item, index) => mistakes.collect(() => map(item, index)));
  mistakes.assertNone();
  return mapped as R[];
}
