/** Prints lists in pieces of similar length, whatever the size of the resources: for a stalled reader, only a few pieces are held in memory. */
import type { Resource } from '../../../domain/resource/resource.ts';
import type { Stored } from '../../../domain/resource/stored.ts';
import type { ResourcePrinter } from './service.ts';

/** In UTF-16 code units; a target, not a limit. */
export const pieceLength = 64 * 1024;

/** Resources as they are read, some at a time. */
export type Batches = AsyncGenerator<readonly Stored<Resource>[], void, undefined>;

/** Yields a piece for each batch, without the text before, between and after pieces. */
export async function* printPieces(
  batches: Batches,
  { list }: Pick<ResourcePrinter, 'list'>,
): AsyncGenerator<string, void, undefined> {
  for await (const batch of batches) yield list.items(batch);
}

/** The part of a list that is printed before its response is sent. */
export interface Beginning {
  readonly body: string;
  /** The list is complete. */
  readonly done: boolean;
}

/** Collects pieces until they end or exceed `length` UTF-16 code units. @param total the total to print, if any */
export async function collectBeginning(
  pieces: AsyncGenerator<string, void, undefined>,
  { list }: Pick<ResourcePrinter, 'list'>,
  length: number,
  total?: number,
): Promise<Beginning> {
  let body = list.open(total);
  for (let between = ''; body.length <= length; between = list.between) {
    const { done, value } = await pieces.next();
    if (done) return { body: body + list.close, done: true };
    body += between + value;
  }
  return { body, done: false };
}
