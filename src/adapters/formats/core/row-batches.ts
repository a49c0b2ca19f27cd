/** The batches in which the readers of files hand rows over. */
import { gatherBatches } from '../../../domain/base/batches.ts';

const maxRows = 256;
/** In UTF-16 code units. */
const maxLength = 64 * 1024;

/**
 * @param groups rows as they are found. What a group's iterator throws is thrown after the rows before it
 * @param lengthOf how much text of the file a row stands for, for rows that would have to cut it out
 */
export const batchRows = <Row extends { readonly text: string }>(
  groups: AsyncIterable<Iterable<Row>>,
  lengthOf = ({ text }: Row): number => text.length,
): AsyncGenerator<readonly Row[], void, undefined> => gatherBatches(groups, { maxRows, maxLength, lengthOf });
