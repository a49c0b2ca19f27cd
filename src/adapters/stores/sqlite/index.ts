import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import * as Type from 'typebox';
import { closed } from '../../../domain/validation/explain.ts';
import type { StoreModule } from '../port/store-module.ts';
import { deliveryFilesOf, filesOf, withFilesBeside } from './file/database-files.ts';

const settings = closed({
  copyBeforeMigration: Type.Boolean(),
  file: Type.String({
    pattern: '^(?!:memory:$|file:)[\\s\\S]*[^/]$',
    must: 'be the path of a file (the store memory is the one without)',
  }),
});

export const sqlite: StoreModule<typeof settings> = {
  settings,
  isShared: true,
  at: ({ file, copyBeforeMigration }) => ({
    async open(hooks) {
      const { openSqliteStore } = await import('./open-store.ts');
      return openSqliteStore({ file, copyBeforeMigration, ...hooks });
    },
    inspect: async () => (await import('./open-store.ts')).inspectFile(file),
    declared: {
      read: async () => (await import('./open-store.ts')).readStoredDeclarations(file),
      replace: async (before, next) =>
        (await import('./layout/declared-attributes.ts')).replaceDeclared(file, before, next),
    },
    openDeliveries: async () => (await import('./deliveries.ts')).sqliteDeliveries(file),
    isThere: () => existsSync(file),
    files: () => [...filesOf(file), ...deliveryFilesOf(file).flatMap(withFilesBeside)],
    describe: async () => resolve(file),
  }),
};
