/**
 * Compares SCIM names: attributes, operators, members of messages, parameters and URNs. All are ASCII (RFC 7643 §2.1, RFC 8141 §2), so only
 * ASCII letters are case-insensitive. `toLowerCase` alone would map U+212A, the Kelvin sign, to k.
 */
const ascii = /^\p{ASCII}*$/u;

/** Equal for names that differ in case only. Text with a non-ASCII character is not a name and stays unchanged. */
export const foldName = (name: string): string => (ascii.test(name) ? name.toLowerCase() : name);

/** True if `given` is `name` in any case. */
export const isNamed = (given: string, name: string): boolean =>
  given === name || (given.length === name.length && foldName(given) === foldName(name));

/** Drafts of the standard had other URNs. Some templates of OneLogin have today's URNs without the type at the end. */
export function spellingsOfUrn(urn: string): readonly string[] {
  const [, what, name] = /^urn:ietf:params:scim:schemas:(.+):2\.0:(\w+)$/.exec(urn) ?? [];
  if (what === undefined) return [urn];
  const drafts = ['1.0', '2.0', `2.0:${name}`].map((version) => `urn:scim:schemas:${what}:${version}`);
  return [urn, `urn:ietf:params:scim:schemas:${what}:2.0`, ...drafts];
}
