/** Groups the rows of file readers into batches. */
import { gatherBatches } from '../../../domain/import/batches.ts';

const maxRows = 256;
/** In UTF-16 code units. */
const maxLength = 64 * 1024;

/**
 * @param groups rows as they are found; an iterator's error is thrown after the rows before it
 * @param lengthOf the length of a row's text, for rows that extract the text on demand
 */
export const batchRows = <Row extends { readonly text: string }>(
  groups: AsyncIterable<Iterable<Row>>,
  lengthOf = ({ text }: Row): number => text.length,
): AsyncGenerator<readonly Row[], void, undefined> => gatherBatches(groups, { maxRows, maxLength, lengthOf });
