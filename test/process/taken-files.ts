/** Imports without a process: the values of a file, and the messages about it. */

import { expect } from 'chai';
import type { FileFormat } from '../../src/adapters/formats/port/file-format.ts';
import { messageOf } from '../../src/adapters/system/errors.ts';
import { type ImportWishes, takeResources } from '../../src/commands/files/take-resources.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { userCodec, userDefinition } from '../support/kinds.ts';
import { memoryStore, portOf } from '../support/stores.ts';
import { listAll } from './directories.ts';

export interface Taken {
  readonly users: readonly User[];
  readonly rejected: number;
  readonly failure: string | undefined;
}

/** Into an empty store in memory. */
export async function take(
  path: string,
  format: FileFormat,
  wishes: Partial<ImportWishes> = {},
): Promise<Taken> {
  const store = memoryStore();
  const { counts, failure } = await takeResources(
    { path, kind: userDefinition.kind, codec: userCodec(format), ...wishes },
    {
      signal: new AbortController().signal,
      onFatal: (error) => expect.fail(String(error)),
      assertForeign: async () => undefined,
      openStore: async () => portOf(store),
    },
  );
  const message = failure === undefined ? undefined : messageOf(failure);
  return { users: await listAll(store), rejected: counts.rejected, failure: message };
}
