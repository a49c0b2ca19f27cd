/** What the readers of files share: rows are handed over in batches, since a turn of the event loop for each would cost more than reading it. */

const maxRows = 256;
/** In UTF-16 code units. */
const maxLength = 64 * 1024;

/**
 * @param groups rows as they are found. What a group's iterator throws is thrown after the rows before it
 * @param lengthOf how much text of the file a row stands for, for rows that would have to cut it out
 */
export async function* gatherBatches<Row extends { readonly text: string }>(
  groups: AsyncIterable<Iterable<Row>>,
  lengthOf = ({ text }: Row): number => text.length,
): AsyncGenerator<readonly Row[], void, undefined> {
  let batch: Row[] = [];
  let length = 0;
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const group of groups)
      for (const row of group) {
        length += lengthOf(row);
        if (batch.push(row) < maxRows && length < maxLength) continue;
        yield batch;
        [batch, length] = [[], 0];
      }
  } catch (error) {
    failure = { error };
  }
  if (batch.length > 0) yield batch;
  if (failure !== undefined) throw failure.error;
}
