/** The rules (domain/find/keys.ts) of the derived rows: a mark names them, and the progress of a rebuild. */
import { filterNames, keyRules } from '../../../../domain/at-import.ts';
import { compareKeyRules, parseKeyRules, printKeyRules } from '../../../../domain/find/keys.ts';
import type { Connection } from '../file/connection.ts';

export const rulesMark = 'derived rows made by';

/** This release's rules, in the mark's form. */
export const currentRules = printKeyRules(keyRules);

const readMark = 'SELECT value FROM marks WHERE name = ?';

export function readRules(db: Connection): string {
  return db.prepare<[string], string>(readMark).pluck().get(rulesMark) ?? '';
}

/** @throws Error when a later release made the rows. A release with other filters can't be told apart: its rows are rebuilt */
export function assertNotNewerRules(db: Connection): void {
  const found = parseKeyRules(readRules(db));
  const versioned = found.indexes.filter((index) => index.includes('.'));
  const comparison = compareKeyRules(
    { mapping: found.mapping, indexes: [...filterNames, ...versioned] },
    keyRules,
  );
  if (comparison !== 'newer' && comparison !== 'usable') return;
  throw new Error(
    `a newer release wrote it (rules ${found.mapping} ${versioned.join()}, this one knows ${currentRules}); it was left as it is`,
  );
}

/** The function tells whether all derived rows were made by the rules of this release. */
export function makeRulesCheck(db: Connection): () => boolean {
  const mark = db.prepare<[string], string>(readMark).pluck();
  return () => mark.get(rulesMark) === currentRules;
}
