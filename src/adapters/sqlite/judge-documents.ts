import type { Connection } from './connection.ts';
import { judged } from './documents.ts';
import { unjudged } from './schema.ts';

/** In one transaction: the log stays short, and other processes get their turn. */
const pageSize = 500;

interface Row {
  readonly id: string;
  readonly document: string;
}

/**
 * Looks once at every document that was written before the file told its own writes from others': what is a user is known as
 * ours from then on, and what isn't is judged at each read. Broken off, it goes on from there; several processes do it together.
 */
export function judgeDocuments(db: Connection): void {
  const page = db.prepare<[string], Row>(
    `SELECT id, document FROM users WHERE id > ? ORDER BY id LIMIT ${pageSize}`,
  );
  const reached = db.prepare<[string], string>('SELECT value FROM marks WHERE name = ?').pluck();
  const note = db.prepare('UPDATE marks SET value = ? WHERE name = ?');
  const end = db.prepare('DELETE FROM marks WHERE name = ?');
  const own = db.prepare('UPDATE users SET writes = 1 WHERE id = ? AND writes IS NULL');
  const step = db.transaction((): boolean => {
    const after = reached.get(unjudged);
    if (after === undefined) return false;
    const rows = page.all(after);
    for (const { id, document } of rows) if (judged(id, document)) own.run(id);
    const last = rows.at(-1);
    if (last === undefined) end.run(unjudged);
    else note.run(last.id, unjudged);
    return true;
  });
  while (step.immediate());
}
