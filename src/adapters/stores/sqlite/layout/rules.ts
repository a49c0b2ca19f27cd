/** By which rules (domain/find/keys.ts) the derived rows were made: a mark names them, and how far a rebuild by them has come. */
import { filterNames } from '../../../../domain/find/filters.ts';
import { compareKeyRules, keyRules, parseKeyRules, printKeyRules } from '../../../../domain/find/keys.ts';
import type { Connection } from '../file/connection.ts';

export const rulesMark = 'derived rows made by';

/** Those of this release, as the mark has them. */
export const currentRules = printKeyRules(keyRules);

const readMark = 'SELECT value FROM marks WHERE name = ?';

export function readRules(db: Connection): string {
  return db.prepare<[string], string>(readMark).pluck().get(rulesMark) ?? '';
}

/** @throws Error when a later release made the rows. Of a release with other filters there is no telling: its rows are rebuilt */
export function assertNotNewerRules(db: Connection): void {
  const found = parseKeyRules(readRules(db));
  const versioned = found.indexes.filter((index) => index.includes('.'));
  const comparison = compareKeyRules({ mapping: found.mapping, indexes: [...filterNames, ...versioned] });
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
