/** How tests of file formats print and read a file. */

import type {
  FileCodec,
  FileFront,
  FilePrintOptions,
  FileReadOptions,
  FileRow,
} from '../../src/adapters/formats/port/file-format.ts';
import { UnreadableError } from '../../src/adapters/formats/text/positions.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';

/** In UTF-16 code units. */
export const maxRowLength = 256 * 1024;

/** Divides into chunks of these sizes, in turns. */
async function* chunksOf(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, next = 0; at < bytes.length; next += 1) {
    const size = sizes[next % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** Prints the users, with the columns that they need if the format has columns. */
export function printFile(
  codec: FileCodec<User>,
  users: readonly User[],
  options: FilePrintOptions = {},
): string {
  const collector = codec.collectColumns?.();
  for (const user of users) collector?.add(user);
  const { open, between, close, row } = codec.printer({ columns: collector?.columns(), ...options });
  return open + users.map(row).join(between) + close;
}

export interface ReadFile {
  readonly rows: readonly FileRow[];
  readonly header: FileFront | undefined;
  /** The error that ended the reading. */
  readonly error: UnreadableError | undefined;
}

/** Throws all errors except UnreadableError. */
export async function readFile(
  codec: FileCodec<User>,
  file: string | Buffer,
  options: Partial<FileReadOptions> & { readonly sizes?: readonly number[] } = {},
): Promise<ReadFile> {
  const rows: FileRow[] = [];
  const { sizes = [64 * 1024], ...more } = options;
  let header: FileFront | undefined;
  let error: UnreadableError | undefined;
  const onFront = (front: FileFront): void => {
    header = front;
  };
  try {
    const bytes = typeof file === 'string' ? Buffer.from(file) : file;
    for await (const batch of codec.read(chunksOf(bytes, sizes), { maxRowLength, onFront, ...more }))
      rows.push(...batch);
  } catch (thrown) {
    if (!(thrown instanceof UnreadableError)) throw thrown;
    error = thrown;
  }
  return { rows, header, error };
}
