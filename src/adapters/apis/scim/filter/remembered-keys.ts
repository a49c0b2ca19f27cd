/** Texts as they are compared, each made once as far as possible. */
import type { TextKey } from './indexed-attributes.ts';

/** Gives the same key, which remembers. */
export type Remember = (key: TextKey) => TextKey;

/** More than the texts of one resource that a filter is likely to compare more than once. */
const mostRemembered = 256;

/** A long filter compares the same few texts many times, and each would be mapped anew: keeps what they were mapped to. */
export function memory(): Remember {
  const keys = new Map<TextKey, TextKey>();
  return (key) => {
    const known = new Map<string, string | undefined>();
    const remembering = (text: string): string | undefined => {
      if (known.has(text)) return known.get(text);
      if (known.size >= mostRemembered) known.clear();
      const mapped = key(text);
      known.set(text, mapped);
      return mapped;
    };
    const made = keys.get(key) ?? remembering;
    keys.set(key, made);
    return made;
  };
}
