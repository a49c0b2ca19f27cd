/** Reads the first bytes of a stream without consuming them. */

export interface Peeked {
  /** At least as long as requested, unless the stream is shorter. */
  readonly first: Buffer;
  /** The whole stream, including `first`. */
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>;
}

/** `chunks` rethrows the stream's error after the bytes before it. @param rest closed by the caller */
export async function peek(rest: AsyncIterator<Uint8Array>, length: number): Promise<Peeked> {
  const pieces: Uint8Array[] = [];
  let failure: { readonly reason: unknown } | undefined;
  try {
    for (let missing = length; missing > 0; ) {
      const next = await rest.next();
      if (next.done) break;
      pieces.push(next.value);
      missing -= next.value.length;
    }
  } catch (reason) {
    failure = { reason };
  }
  const first = Buffer.concat(pieces);
  async function* chunks(): Peeked['chunks'] {
    yield first;
    if (failure !== undefined) throw failure.reason;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  }
  return { first, chunks: chunks() };
}
