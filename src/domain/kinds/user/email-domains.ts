import type { Violation } from '../../base/errors.ts';
import { isObject } from '../../base/plain-values.ts';

/** What a dot-atom doesn't have (RFC 5322 §3.2.3, RFC 6531 §3.3): a comma is nearly always a mistyped dot. */
const fault = /[,;:()<>[\]"\\]|^\.|\.(?=\.|$)/;

function findFault(value: unknown): string | undefined {
  const domain = typeof value === 'string' ? value.slice(value.lastIndexOf('@') + 1) : '';
  const [found] = fault.exec(domain) ?? [];
  if (found === '.') return 'must have a letter or digit at both sides of each dot in its domain';
  return found === undefined ? undefined : `must not have ${found} in its domain, such as example.org`;
}

/**
 * A rule of its own, not part of the pattern in the published contracts: addresses that an earlier release has taken are shown as they are,
 * and the contracts describe responses, too. @param user as far as it has its schema's type
 */
export function findEmailFaults({ emails }: Readonly<Record<string, unknown>>): Violation[] {
  const all: readonly unknown[] = Array.isArray(emails) ? emails : [];
  return all.flatMap((email, at) => {
    const detail = findFault(isObject(email) ? email.value : undefined);
    return detail === undefined ? [] : [{ pointer: `/emails/${at}/value`, detail }];
  });
}
