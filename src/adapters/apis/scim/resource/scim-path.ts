/** Translates the location of an error in the service's resource into SCIM's names. */
import type { ResourceType } from './resource-type.ts';

const unescapeStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

const isIndex = (step: string): boolean => /^\d+$/.test(step);

/** `["0", "value"]` becomes `[0].value`. */
const joined = (steps: readonly string[]): string =>
  steps.map((step) => (isIndex(step) ? `[${step}]` : `.${step}`)).join('');

/**
 * `/emails/0/value` is `emails[0].value`, `/roles/3` is `roles[3].value`, `/enterprise/department` is
 * `urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department`.
 * @param pointer RFC 6901, into the service's resource, as in a Violation
 * @returns empty for the whole resource
 */
export function scimPath({ members }: Pick<ResourceType, 'members'>, pointer: string): string {
  const [name = '', ...steps] = pointer.split('/').slice(1).map(unescapeStep);
  const member = members.get(name);
  if (member?.form === 'extension') return `${member.urn}${joined(steps).replace('.', ':')}`;
  const [first, ...rest] = steps;
  if (member === undefined || first === undefined || member.form === 'same') {
    return `${member?.urn === undefined ? '' : `${member.urn}:`}${name}${joined(steps)}`;
  }
  if (member.form === 'texts') return `${name}[${first}].value`;
  return `${member.urn}:${name}[name eq ${JSON.stringify(first)}].value${joined(rest)}`;
}
