import { isFilling } from '../../../domain/changes/moves.ts';
import { wordsOf } from '../../system/program.ts';

/** @param line of the change log @throws Error for a store that `copy` has begun to fill */
export function assertFilled(line: string | null | undefined): void {
  if (isFilling(line))
    throw new Error(
      `${wordsOf('copy')} has begun to fill it, and did not finish: repeat that command, or empty the store`,
    );
}
