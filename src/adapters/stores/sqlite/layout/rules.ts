/** The rules (domain/find/keys.ts) by which the derived rows of each kind were made, in the table `key_rules`, and the progress of a rebuild. */
import { compareKeyRules, parseKeyRules, printKeyRules } from '../../../../domain/find/keys.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import type { Connection } from '../file/connection.ts';

export const createRules =
  'CREATE TABLE key_rules (kind TEXT NOT NULL PRIMARY KEY, rules TEXT NOT NULL) WITHOUT ROWID;';

/** This release's rules, as they are stored. */
export const currentRules = ({ keyRules }: Kind): string => printKeyRules(keyRules);

const readSql = 'SELECT rules FROM key_rules WHERE kind = ?';

export const readRules = (db: Connection, { name }: Kind): string =>
  db.prepare<[string], string>(readSql).pluck().get(name) ?? '';

export const writeRules = (db: Connection, { name }: Kind, rules: string): void =>
  void db.prepare('INSERT OR REPLACE INTO key_rules (kind, rules) VALUES (?, ?)').run(name, rules);

/** @throws Error when a later release made the rows. A release with other filters can't be told apart: its rows are rebuilt */
export function assertNotNewerRules(db: Connection, kind: Kind): void {
  const found = parseKeyRules(readRules(db, kind));
  const versioned = found.indexes.filter((index) => index.includes('.'));
  const comparison = compareKeyRules(
    { mapping: found.mapping, indexes: [...kind.filterNames, ...versioned] },
    kind.keyRules,
  );
  if (comparison !== 'newer' && comparison !== 'usable') return;
  throw new Error(
    `a newer release wrote it (rules of ${kind.plural} ${found.mapping} ${versioned.join()}, this one knows ${currentRules(kind)}); it was left as it is`,
  );
}

/** The function tells whether the kind's derived rows were made by the rules of this release. */
export function makeRulesCheck(db: Connection, kind: Kind): () => boolean {
  const rules = db.prepare<[string], string>(readSql).pluck();
  const current = currentRules(kind);
  return () => rules.get(kind.name) === current;
}
