/** The reasons beside each rejected user in a reject file. Readers skip them. */
import type { Violation } from '../../../domain/validation/errors.ts';
import { isObject } from '../../../domain/validation/plain-values.ts';
import type { FileRow } from './file-format.ts';

/** Not the name of a user's member. A column in tables, an object's only member in JSON. */
export const rejectedName = '$rejected';

/** The user's position in the file, and its violations. */
export const describeReasons = ({ position }: FileRow, errors: readonly Violation[]) => ({
  ...position,
  errors: errors.map(({ pointer, detail }) => ({ pointer, detail })),
});

export const describeRejection = (row: FileRow, violations: readonly Violation[]) => ({
  [rejectedName]: describeReasons(row, violations),
});

export const isRejection = (value: unknown): boolean =>
  isObject(value) && Object.hasOwn(value, rejectedName) && Object.keys(value).length === 1;
