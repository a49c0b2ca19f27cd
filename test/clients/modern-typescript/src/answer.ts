/** What the document says of an answer, beyond what openapi-fetch knows: its header fields. */
import type { operations } from '../build/service.ts';

/** One answer of an operation. */
export type Answer<
  Operation extends keyof operations,
  Status extends keyof operations[Operation]['responses'],
> = operations[Operation]['responses'][Status];

/** Those that the document names. */
type Named<Fields> = { [Name in keyof Fields as string extends Name ? never : Name]: Fields[Name] };
type Always<Fields> = {
  [Name in keyof Fields]-?: Record<never, never> extends Pick<Fields, Name> ? never : Name;
}[keyof Fields];

/** Reads the fields of an answer of which the document says `Of`. */
export function fieldsOf<Of extends { headers: object }>(response: Response) {
  type Fields = Named<Of['headers']>;
  return {
    /** @throws Error when it isn't there, against what the document says */
    always(name: Always<Fields> & string): string {
      const value = response.headers.get(name);
      if (value === null) throw new Error(`${response.url}: ${response.status} without ${name}`);
      return value;
    },
    sometimes(name: Exclude<keyof Fields, Always<Fields>> & string): string | null {
      return response.headers.get(name);
    },
  };
}
