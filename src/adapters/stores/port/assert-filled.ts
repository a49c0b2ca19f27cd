import { isFilling } from '../../../domain/changes/moves.ts';

/** @param line of the change log @throws Error for a store that `copy` has begun to fill */
export function assertFilled(line: string | null | undefined): void {
  if (isFilling(line))
    throw new Error('a copy into it is not finished: repeat that command (copy), or empty the store');
}
