import { texts } from './texts/texts.ts';

/** Translates the service's messages about fields and credentials into the words of the page. */
export function explainDetail(detail: string): string {
  const [pattern, better] = texts.failures.violations.find(([one]) => one.test(detail)) ?? [];
  const said = pattern === undefined || better === undefined ? detail : detail.replace(pattern, better);
  return said.charAt(0).toUpperCase() + said.slice(1);
}
