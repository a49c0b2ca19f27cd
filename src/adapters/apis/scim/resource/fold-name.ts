/**
 * SCIM's names compared: attributes, operators, members of messages, parameters, URNs. All are ASCII (RFC 7643 §2.1, RFC 8141 §2), and
 * only ASCII letters have two cases there. `toLowerCase` alone would take U+212A, the Kelvin sign, for a k.
 */
const ascii = /^\p{ASCII}*$/u;

/** The same for names that differ in case only. A text with another character is no name, and stays as it is. */
export const foldName = (name: string): string => (ascii.test(name) ? name.toLowerCase() : name);

/** Whether a client's spelling is that name. */
export const isNamed = (given: string, name: string): boolean =>
  given.length === name.length && foldName(given) === foldName(name);

/** @param schemas of a message, as it was sent */
export const hasUrn = (schemas: unknown, urn: string): boolean =>
  Array.isArray(schemas) && schemas.some((one) => typeof one === 'string' && isNamed(one, urn));
