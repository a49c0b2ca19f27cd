/** Reads the column `document`: trusted where the service wrote it last, else to be checked. */
import { StoredUser } from '../../../domain/stored-user.ts';

/**
 * The SQL expression to select from table `u`. A document that something else wrote last comes in a JSON list with its id and
 * version; the others are still one text, at no cost.
 */
export const documentColumn = (u: string): string =>
  `CASE WHEN ${u}.writes THEN ${u}.document ELSE json_array(${u}.id, ${u}.version, CAST(${u}.document AS TEXT)) END`;

const bracket = 0x5b;

/** @param read a value of `documentColumn` */
export function readStored(read: string): StoredUser {
  if (read.charCodeAt(0) !== bracket) return StoredUser.fromText(read);
  const [id, version, document]: [string, string, string] = JSON.parse(read);
  return StoredUser.fromDocument({ id, version, document: parseIfJson(document) });
}

function parseIfJson(document: string): unknown {
  try {
    return JSON.parse(document);
  } catch {
    return undefined;
  }
}

/** True when the service itself would have stored the user in this very text. */
export function isAsWritten(id: string, document: string): boolean {
  const stored = StoredUser.fromDocument({ id, document: parseIfJson(document) });
  return !stored.isDamaged && stored.text === document;
}
