/** Finds where markup ends, in text that saxes has found to be well-formed. */

const asides = [
  { kind: 'comment', open: '<!--', close: '-->' },
  { kind: 'CDATA', open: '<![CDATA[', close: ']]>' },
  { kind: 'instruction', open: '<?', close: '?>' },
] as const;

/** Up to the `>` that ends a tag; attribute values may contain others. */
const restOfTag = /[^>"']*(?:(?:"[^"]*"|'[^']*')[^>"']*)*>/y;

interface Markup {
  readonly kind: 'tag' | (typeof asides)[number]['kind'];
  /** The index after it, which is always greater than its start, so that a loop over markup ends. */
  readonly end: number;
}

/**
 * @param from the index of a `<`
 * @returns undefined when the markup has no end: then the text isn't well-formed
 */
export function findMarkup(text: string, from: number): Markup | undefined {
  for (const { kind, open, close } of asides)
    if (text.startsWith(open, from)) {
      const at = text.indexOf(close, from + open.length);
      return at < 0 ? undefined : { kind, end: at + close.length };
    }
  restOfTag.lastIndex = from;
  return restOfTag.test(text) ? { kind: 'tag', end: restOfTag.lastIndex } : undefined;
}
