/**
 * From the layout before to this one: `run.ts` explains the order of the steps, and the file with the number of the layout has what this layout
 * needs. A file becomes superfluous when upgrades from the layout before it end.
 */
export { membersInHistories as migration } from './2-members-in-histories.ts';
export { defaultQuiet, MigrationRunner, type RunnerParts } from './run.ts';
