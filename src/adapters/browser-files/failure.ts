import { UnreadableError } from '../formats/text/positions.ts';
import type { FileFailure } from './engine.ts';

/** What a page shows of an error that ends the reading of a file. */
export const failureOf = (error: unknown): FileFailure => ({
  place: error instanceof UnreadableError ? error.position : undefined,
  detail: error instanceof Error ? error.message : String(error),
});
