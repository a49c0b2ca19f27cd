/** What the name of a file says: its format, and whether it is packed. */
import type { FileFormat } from '../formats/file-format.ts';

/** In the place of a file's name: standard input or output. */
export const standardStream = '-';

const packedEnding = /\.gz$/i;

export const isPackedName = (path: string): boolean => packedEnding.test(path);

/** By its ending, with `.gz` behind it or not; undefined when that says nothing. */
export function formatOfName(path: string, formats: readonly FileFormat[]): FileFormat | undefined {
  const name = path.replace(packedEnding, '').toLowerCase();
  return formats.find(({ endings }) => endings.some((ending) => name.endsWith(ending)));
}
