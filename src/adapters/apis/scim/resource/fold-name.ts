/**
 * Compares SCIM names: attributes, operators, members of messages, parameters and URNs. All are ASCII (RFC 7643 §2.1, RFC 8141 §2), so only
 * ASCII letters are case-insensitive. `toLowerCase` alone would map U+212A, the Kelvin sign, to k.
 */
const ascii = /^\p{ASCII}*$/u;

/** Equal for names that differ in case only. Text with a non-ASCII character is not a name and stays unchanged. */
export const foldName = (name: string): string => (ascii.test(name) ? name.toLowerCase() : name);

/** True if `given` is `name` in any case. */
export const isNamed = (given: string, name: string): boolean =>
  given.length === name.length && foldName(given) === foldName(name);

/** @param schemas as sent in a message */
export const hasUrn = (schemas: unknown, urn: string): boolean =>
  Array.isArray(schemas) && schemas.some((one) => typeof one === 'string' && isNamed(one, urn));
