/** Looks at how a stream of bytes begins. */

export interface Peeked {
  /** Of the length that was asked for, or more; less where there is no more. */
  readonly first: Buffer;
  /** All of the stream, from its beginning. */
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>;
}

/** What the stream throws is thrown by `chunks`, behind the bytes before it. @param rest closed by the caller */
export async function peek(rest: AsyncIterator<Uint8Array>, length: number): Promise<Peeked> {
  let first = Buffer.alloc(0);
  let failure: { readonly reason: unknown } | undefined;
  try {
    while (first.length < length) {
      const next = await rest.next();
      if (next.done) break;
      first = Buffer.concat([first, next.value]);
    }
  } catch (reason) {
    failure = { reason };
  }
  async function* chunks(): Peeked['chunks'] {
    yield first;
    if (failure !== undefined) throw failure.reason;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  }
  return { first, chunks: chunks() };
}
