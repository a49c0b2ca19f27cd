/** Reads the first bytes of a stream without consuming them. */

export interface Peeked {
  /** At least as long as requested, unless the stream is shorter. */
  readonly first: Buffer;
  /** The whole stream, including `first`. */
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>;
}

/** `chunks` rethrows the stream's error after the bytes before it. @param rest closed by the caller */
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
