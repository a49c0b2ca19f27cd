/** Reads the column `document`: trusted where the service wrote it last, else to be checked. */
import { StoredUser } from '../../../../domain/user/stored-user.ts';

/**
 * The SQL expression to select from table `u`. A document that something else wrote last comes in a JSON list with its id, its version
 * and, in a sorted list, the key that it stands under; the others are still one text, at no cost.
 * @param key the expression for that key
 */
export const documentColumn = (u: string, key = 'NULL'): string =>
  `CASE WHEN ${u}.writes THEN ${u}.document
   ELSE json_array(${u}.id, ${u}.version, CAST(${u}.document AS TEXT), ${key}) END`;

const bracket = 0x5b;

/** @param read a value of `documentColumn` */
export function readStored(read: string): StoredUser {
  if (read.charCodeAt(0) !== bracket) return StoredUser.fromText(read);
  const [id, version, document, key]: [string, string, string, string | null] = JSON.parse(read);
  const found = { id, version, document: parseIfJson(document) };
  return StoredUser.fromDocument(key === null ? found : { ...found, sortKey: key });
}

function parseIfJson(document: string): unknown {
  try {
    return JSON.parse(document);
  } catch {
    return undefined;
  }
}
