/**
 * Changes of the layout, by the layout that they make. To add one: raise `layoutNumber` (layout/layout.ts), change the tables of new files, and
 * add a file here that makes the same tables from those of the layout before.
 */
import { membersInHistories } from './10-members-in-histories.ts';
import type { Migration } from './migration.ts';

export const migrations: readonly Migration[] = [membersInHistories];
