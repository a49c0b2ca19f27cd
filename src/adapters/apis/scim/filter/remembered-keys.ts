/** Caches the comparison keys of texts. */

/** Maps a text value for comparison: texts with the same key are equal. */
export type TextKey = (text: string) => string | undefined;

/** Returns the same key function with a cache. */
export type Remember = (key: TextKey) => TextKey;

/** More than the texts of one resource that a filter usually compares repeatedly. */
const mostRemembered = 256;

/** Caches mapped texts, since a long filter compares the same few texts many times. */
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
