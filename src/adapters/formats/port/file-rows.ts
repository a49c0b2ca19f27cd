/** What the formats of files share: rows in batches, and the reasons beside each row in a file of rejects, which readers skip. */
import { gatherBatches } from '../../../domain/import/batches.ts';
import type { Violation } from '../../../domain/validation/errors.ts';
import { isObject } from '../../../domain/validation/plain-values.ts';
import type { FileRow } from './file-format.ts';

/** Rows in a batch. */
const maxRows = 256;
/** The length of their texts, in UTF-16 code units. */
const maxLength = 64 * 1024;

/**
 * @param groups rows as they are found; an iterator's error is thrown after the rows before it
 * @param lengthOf the length of a row's text, for rows that extract the text on demand
 */
export const batchRows = <Row extends { readonly text: string }>(
  groups: AsyncIterable<Iterable<Row>>,
  lengthOf = ({ text }: Row): number => text.length,
): AsyncGenerator<readonly Row[], void, undefined> => gatherBatches(groups, { maxRows, maxLength, lengthOf });

/** Not the name of a user's member. A column in tables, an object's only member in JSON. */
export const rejectedName = '$rejected';

/** The row's position in the file, and its violations. */
export const describeRejection = ({ position }: FileRow, errors: readonly Violation[]) => ({
  [rejectedName]: { ...position, errors: errors.map(({ pointer, detail }) => ({ pointer, detail })) },
});

export const isRejection = (value: unknown): boolean =>
  isObject(value) && Object.hasOwn(value, rejectedName) && Object.keys(value).length === 1;
