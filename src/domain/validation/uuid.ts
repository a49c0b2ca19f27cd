/** UUIDs as strings (RFC 9562 §4). */

/** In canonical lower case, as a pattern for schemas. */
export const uuidPattern = '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/** In either case of letters. */
export const anyCaseUuidPattern = uuidPattern.replaceAll('a-f', 'a-fA-F');

const inAnyCase = new RegExp(anyCaseUuidPattern);

/** In canonical lower case; undefined when it isn't a UUID. */
export function canonicalUuid(candidate: string): string | undefined {
  return inAnyCase.test(candidate) ? candidate.toLowerCase() : undefined;
}
