/** An entry as a row of `change_log`. */
import type { Change } from '../../../../domain/changes/change.ts';

/** The first parameters are `number`, which is null for the next one, `mark`, `at` and `bytes`; `columnsOf` has the others. */
export const addSql = `
  INSERT INTO change_log (number, mark, at, bytes, kind, id, op, version, actor, detail, personal)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** An estimate of the bytes of an entry besides its texts. */
const bytesOfEntry = 80;

export const idsOf = ({ added = [], removed = [] }: Change): readonly string[] => [...added, ...removed];

/** With an estimate of the bytes of the row. @param actor as JSON */
export function columnsOf({ type, id, version, values, ...rest }: Change, actor: string) {
  const dot = type.indexOf('.');
  const detail = Object.keys(rest).length > 0 ? JSON.stringify(rest) : null;
  const personal = values === undefined ? null : JSON.stringify(values);
  const columns = [type.slice(0, dot), id, type.slice(dot + 1), version ?? null, actor, detail, personal];
  const bytes = columns.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), bytesOfEntry);
  return { columns, bytes };
}
