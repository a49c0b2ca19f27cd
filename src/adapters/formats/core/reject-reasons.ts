/** What stands beside a user who was not taken, in a file of rejects. Readers pass over it. */
import type { Violation } from '../../../domain/base/errors.ts';
import { isObject } from '../../../domain/base/plain-values.ts';
import type { FileRow } from './file-format.ts';

/** No name of a member: a column in tables, the only member of an object in JSON. */
export const rejectedName = '$rejected';

/** Where the user stood in the file, and what was wrong. */
export const describeReasons = ({ position }: FileRow, errors: readonly Violation[]) => ({
  ...position,
  errors: errors.map(({ pointer, detail }) => ({ pointer, detail })),
});

export const describeRejection = (row: FileRow, violations: readonly Violation[]) => ({
  [rejectedName]: describeReasons(row, violations),
});

export const isRejection = (value: unknown): boolean =>
  isObject(value) && Object.hasOwn(value, rejectedName) && Object.keys(value).length === 1;
