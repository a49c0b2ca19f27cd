import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** True once for each name in a run: the next process finds the mark in the run's folder. */
export function isFirstTry(name: string): boolean {
  const mark = join(process.env.RUN_FOLDER ?? '', `${name}.tried`);
  if (existsSync(mark)) return false;
  writeFileSync(mark, '');
  return true;
}
