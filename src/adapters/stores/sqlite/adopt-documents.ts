import type { Connection } from './connection.ts';
import { adoptionMark } from './schema.ts';
import { isAsWritten } from './stored-document.ts';

/** In one transaction: the log stays short, and other processes get their turn. */
const pageSize = 500;

interface Row {
  readonly id: string;
  readonly document: string;
}

/**
 * Checks, once for a file, the documents from before the column `writes`: those that the service wrote are trusted from then on,
 * and the others are checked at each read. When interrupted it continues from there; several processes share the work.
 */
export function adoptDocuments(db: Connection): void {
  const page = db.prepare<[string], Row>(
    `SELECT id, document FROM users WHERE id > ? ORDER BY id LIMIT ${pageSize}`,
  );
  const reached = db.prepare<[string], string>('SELECT value FROM marks WHERE name = ?').pluck();
  const note = db.prepare('UPDATE marks SET value = ? WHERE name = ?');
  const end = db.prepare('DELETE FROM marks WHERE name = ?');
  const own = db.prepare('UPDATE users SET writes = 1 WHERE id = ? AND writes IS NULL');
  const step = db.transaction((): boolean => {
    const after = reached.get(adoptionMark);
    if (after === undefined) return false;
    const rows = page.all(after);
    for (const { id, document } of rows) if (isAsWritten(id, document)) own.run(id);
    const last = rows.at(-1);
    if (last === undefined) end.run(adoptionMark);
    else note.run(last.id, adoptionMark);
    return true;
  });
  while (step.immediate());
}
