import { texts } from './texts/texts.ts';

/** Translates the service's messages about fields and credentials into the words of the page. */
export function explainDetail(detail: string): string {
  const [pattern, better] = texts.failures.violations.find(([one]) => one.test(detail)) ?? [];
  return pattern === undefined || better === undefined ? detail : detail.replace(pattern, better);
}
