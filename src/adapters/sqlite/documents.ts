/** How a document is read: as it is where the service wrote it last, else as something to be judged. */
import { KeptUser } from '../../domain/kept-user.ts';
import type { User } from '../../domain/user.ts';

/**
 * The column to read of table `u`. A document that something else wrote last comes in a JSON list with its id and version, which
 * costs the others nothing: they are still one text.
 */
export const documentOf = (u: string): string =>
  `CASE WHEN ${u}.writes THEN ${u}.document ELSE json_array(${u}.id, ${u}.version, CAST(${u}.document AS TEXT)) END`;

const bracket = 0x5b;

/** @param read what `documentOf` gave */
export function keptIn(read: string): KeptUser {
  if (read.charCodeAt(0) !== bracket) return KeptUser.fromText(read);
  const [id, version, document]: [string, string, string] = JSON.parse(read);
  return KeptUser.from({ id, version, document: parsedOrNothing(document) });
}

function parsedOrNothing(document: string): unknown {
  try {
    return JSON.parse(document);
  } catch {
    return undefined;
  }
}

/** The user, where the document is one and the service might have written it so. */
export function judged(id: string, document: string): User | undefined {
  const kept = KeptUser.from({ id, document: parsedOrNothing(document) });
  return !kept.isDamaged && kept.text === document ? kept.user : undefined;
}
