/** A search that finds whoever has a text that begins with another one: among others, so that each has to be verified. */
import { maxSearchLength, maxTerms, parseSearch, type Term } from '../../../../domain/search.ts';

/** @returns undefined when no search says anything about the text */
export function supersetTerms(text: string): readonly Term[] | undefined {
  const beginning = Array.from(text).slice(0, maxSearchLength).join('');
  const terms = beginning.split(/\s+/u).flatMap((word) => {
    const parsed = parseSearch(word);
    return typeof parsed === 'string' ? [] : parsed;
  });
  return terms.length === 0 ? undefined : terms.slice(0, maxTerms);
}
