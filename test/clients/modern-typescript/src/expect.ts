/** Assertions of a client: it stops at the first unexpected value. */
import { deepStrictEqual } from 'node:assert';

/** @throws Error naming what is wrong, when `got` isn't deeply equal to `wanted` */
export const expect = <T>(what: string, got: T, wanted: NoInfer<T>): void =>
  deepStrictEqual(got, wanted, `${what}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`);

/** The data of a response. @throws Error with the problem of a failure */
export function dataOf<Data>(answer: {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}): NonNullable<Data> {
  const { data, error, response } = answer;
  if (data !== undefined && data !== null) return data;
  throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`);
}
