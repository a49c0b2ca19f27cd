import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore, type SqliteOptions } from '../../../../src/adapters/stores/sqlite/store.ts';
import type { UserStore } from '../../../../src/domain/ports.ts';

/** A folder of one test's own. */
export function aFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'users-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** For tests in which nothing fatal may happen: thrown outside of everybody's reach, it fails the run. */
function neverFatal(cause: unknown): never {
  throw cause;
}

export function openAt(file: string, options: Partial<SqliteOptions> = {}): Promise<UserStore> {
  return openSqliteStore({ file, onFatal: neverFatal, ...options });
}
