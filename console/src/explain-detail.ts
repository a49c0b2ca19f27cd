import { texts } from './texts/texts.ts';

/** What the service says of one field or of credentials, in the words of the page. */
export function explainDetail(detail: string): string {
  const [pattern, better] = texts.failures.violations.find(([one]) => one.test(detail)) ?? [];
  return pattern === undefined || better === undefined ? detail : detail.replace(pattern, better);
}
