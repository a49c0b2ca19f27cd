/** Groups rows into batches: a turn of the event loop or a query for each row would cost more than the row itself. */

export interface BatchLimits<Row> {
  readonly maxRows: number;
  /** In the unit of `lengthOf`. A batch ends with the row that reaches it. */
  readonly maxLength: number;
  readonly lengthOf: (row: Row) => number;
}

/** The same rows in their order. @param groups their errors are thrown after the rows before them */
export async function* gatherBatches<Row>(
  groups: AsyncIterable<Iterable<Row>>,
  { maxRows, maxLength, lengthOf }: BatchLimits<Row>,
): AsyncGenerator<readonly Row[], void, undefined> {
  let batch: Row[] = [];
  let length = 0;
  let failure: { readonly reason: unknown } | undefined;
  try {
    for await (const group of groups)
      for (const row of group) {
        length += lengthOf(row);
        if (batch.push(row) < maxRows && length < maxLength) continue;
        yield batch;
        [batch, length] = [[], 0];
      }
  } catch (reason) {
    failure = { reason };
  }
  if (batch.length > 0) yield batch;
  if (failure !== undefined) throw failure.reason;
}
