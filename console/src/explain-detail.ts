import type { Violations } from './texts/en/violations.ts';
import { texts } from './texts/texts.ts';

/**
 * Translates the service's messages about fields and credentials into the words of the page.
 * @param more messages that only some views show
 */
export function explainDetail(detail: string, more: Violations = []): string {
  const [pattern, better] = [...more, ...texts.failures.violations].find(([one]) => one.test(detail)) ?? [];
  const said = pattern === undefined || better === undefined ? detail : detail.replace(pattern, better);
  return said.charAt(0).toUpperCase() + said.slice(1);
}
